#if Server
  public import Foundation
  import Hummingbird
  import HummingbirdCore
  public import Logging
  import NIOCore
  package import ServiceLifecycle
  package import SyncMerge
  package import SyncServer
  import UnixSignals

  /// A server that keeps synced stores' rows, and answers by HTTP.
  ///
  /// ```swift
  /// let server = try RoostServer(data: URL(filePath: "sync"), authenticator: Tokens(users: users))
  /// try await server.run(host: "127.0.0.1", port: 8080)
  /// ```
  ///
  /// It speaks HTTP without TLS: put it behind a proxy that does.
  public struct RoostServer: Sendable {
    /// Without a network.
    package let server: SyncServer
    private let authenticator: any SyncAuthenticator
    private let limiter: RequestLimiter?
    private let timeouts: Timeouts
    private let logger: Logger

    /// Opens a server's data, or makes it.
    ///
    /// - Parameters:
    ///   - data: the folder; one server at a time uses it.
    ///   - authenticator: what tells whose a device is.
    ///   - isDevelopment: whether the server is for development, so that it takes ``DevelopmentTokens``.
    ///   - requestLimit: how much each user may ask; nil, for as much as the server has time for, unless set.
    ///   - logger: logs each request, without tokens and names.
    /// - Throws: ``RoostServerError``.
    public init(
      data: URL, authenticator: some SyncAuthenticator, isDevelopment: Bool = false, requestLimit: RequestLimit? = nil,
      logger: Logger = Logger(label: "roost.server")
    ) throws {
      try self.init(
        data: data, authenticator: authenticator, isDevelopment: isDevelopment, requestLimit: requestLimit,
        logger: logger, limits: SyncLimits())
    }

    package init(
      data: URL, authenticator: some SyncAuthenticator, isDevelopment: Bool = false, requestLimit: RequestLimit? = nil,
      logger: Logger = Logger(label: "roost.server"), limits: SyncLimits, timeouts: Timeouts = Timeouts()
    ) throws {
      guard isDevelopment || !authenticator.isForDevelopment else { throw RoostServerError.developmentOnly }
      do {
        server = try SyncServer(
          data: data, limits: limits,
          report: { logger.error("The server's data failed", metadata: ["error": "\($0)"]) })
      } catch SyncServerError.inUse(let folder) {
        throw RoostServerError.inUse(folder: folder)
      } catch let error as SyncServerError {
        throw RoostServerError.unusable(folder: data.path, reason: "\(error)")
      } catch {
        throw RoostServerError.unusable(
          folder: data.path,
          reason: "\(error). Give the server a folder that it may write, with nothing in it but its own data.")
      }
      (self.authenticator, self.timeouts, self.logger) = (authenticator, timeouts, logger)
      let start = ContinuousClock.now
      limiter = requestLimit.map { RequestLimiter($0) { (ContinuousClock.now - start) / .seconds(1) } }
    }

    /// Serves until the process is told to end, by SIGTERM or SIGINT, or the task is cancelled.
    ///
    /// Requests that are under way are answered, for 30 s at most, and the data is closed. A server is run once.
    ///
    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - port: the port; 0 for any.
    ///   - onRunning: told the port as soon as the server listens.
    /// - Throws: ``RoostServerError/portInUse(_:)``; what the network or the database reports.
    public func run(
      host: String = "127.0.0.1", port: Int = 8080, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
      let group = serviceGroup(host: host, port: port, stopsOnSignals: true, onRunning: onRunning)
      do {
        try await run(group)
      } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw RoostServerError.portInUse(port)
      }
    }

    package func run(_ group: ServiceGroup) async throws {
      do {
        try await group.run()
      } catch {
        // Why the server ended says more than what closing it ran into.
        try? server.close()
        throw error
      }
      try server.close()
    }

    package func serviceGroup(
      host: String, port: Int, stopsOnSignals: Bool = false, onRunning: @escaping @Sendable (Int) async -> Void
    ) -> ServiceGroup {
      let connections = mostConnections()
      let application = Application(
        router: SyncRoutes(server, authenticator, limiter, timeouts).router(logger),
        server: .http1(
          configuration: .init(
            additionalChannelHandlers: [AnsweredBodies(timeouts)], idleTimeout: TimeAmount(timeouts.idle))),
        configuration: ApplicationConfiguration(
          address: .hostname(host, port: port), serverName: "Roost",
          availableConnectionsDelegate: MaximumAvailableConnections(connections)),
        onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) }, logger: logger)
      var configuration = ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: stopsOnSignals ? [.sigterm, .sigint] : [], logger: logger)
      // Who is slow to take an answer does not keep the server from ending.
      configuration.maximumGracefulShutdownDuration = .seconds(30)
      return ServiceGroup(configuration: configuration)
    }
  }

  extension RoostServer {
    /// How many connections the server takes; beyond that nobody could be told why one is not.
    private func mostConnections() -> Int {
      let wanted = 10_000
      guard let files = OpenFiles.raise(), files < wanted + OpenFiles.others else { return wanted }
      let most = max(1, files - OpenFiles.others)
      logger.warning(
        "The process may have few files open: raise its limit (LimitNOFILE of systemd, ulimit -n)",
        metadata: ["files": "\(files)", "connections": "\(most)"])
      return most
    }
  }

  /// Why a server does not start.
  public enum RoostServerError: Error, Hashable, Sendable {
    /// Anybody could pretend to be anybody: only a server with `isDevelopment` takes such tokens.
    case developmentOnly
    /// Another server uses the folder; there is one at a time.
    case inUse(folder: String)
    /// The folder cannot be made or written, or what is in it is not this server's data.
    case unusable(folder: String, reason: String)
    /// Another program listens on the port.
    case portInUse(Int)
  }

  extension RoostServerError: CustomStringConvertible {
    public var description: String {
      switch self {
      case .developmentOnly:
        "DevelopmentTokens believe any name. Give the server an authenticator of your own, or isDevelopment: true to try it."
      case .inUse(let folder):
        "Another server uses \(folder), and there is one at a time. End that one, or give this one a folder of its own."
      case .unusable(let folder, let reason):
        "\(folder) cannot be used: \(reason)"
      case .portInUse(let port): "Another program listens on port \(port). Give the server another one."
      }
    }
  }
#else
  public import Foundation

  /// A server that keeps synced stores' rows, and answers by HTTP: only with the package's trait `Server`.
  @available(
    *, unavailable,
    message: "Turn on the trait: .package(url: \"…/roost\", from: \"…\", traits: [\"Server\"]) in Package.swift."
  )
  public struct RoostServer: Sendable {
    /// Only with the package's trait `Server`.
    public init(
      data: URL, authenticator: some SyncAuthenticator, isDevelopment: Bool = false, requestLimit: RequestLimit? = nil
    ) throws {}
  }
#endif
