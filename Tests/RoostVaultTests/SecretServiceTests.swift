#if os(Linux)
  import Foundation
  import RoostVault
  import Testing

  private let isInstalled = ["gnome-keyring-daemon", "dbus-run-session", "dbus-send"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
  }

  struct SecretServiceTests {
    @Test(.enabled(if: Vault.secretService.isHere, "there is no session bus: `make test-vault` makes one"))
    func `the vault of a desktop is the Secret Service`() throws {
      try Vault.secretService.withStore { secrets in
        try secrets.set("hunter2", for: "password")
        var other = SecretStore.default
        other.service = secrets.service
        #expect(try other.get(String.self, for: "password") == "hunter2")
      }
    }

    @Test func `without a session bus the default throws and says what to do`() throws {
      let environment = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nowhere"]
      let lines = try Programs.output(Programs.user, ["service", "get", "a"], environment)
      let line = try #require(lines.first)
      #expect(line.hasPrefix("SecretError.unavailable"))
      #expect(line.contains(".file(at:key:)"))
    }
  }

  /// In sessions of their own.
  @Suite(.enabled(if: isInstalled, "GNOME Keyring is not installed: `make test-vault` does so"), .serialized)
  struct SecretServiceSessionTests {
    @Test func `a locked keyring throws rather than ask, and nothing is made`() throws {
      let lines = try Programs.inSession(
        """
        $USER_PROGRAM service set a; sh -c "$LOCK"
        $USER_PROGRAM service get a; $USER_PROGRAM service get b; $USER_PROGRAM service set c; $USER_PROGRAM service key d
        """)
      #expect(lines.count == 4)
      #expect(lines.allSatisfy { $0.hasPrefix("SecretError.locked") })
    }

    @Test func `a keyring that is locked while the program runs is seen`() throws {
      let lines = try Programs.inSession("$USER_PROGRAM service set a; $USER_PROGRAM service between a \"$LOCK\"")
      #expect(lines.first == "of a")
      #expect(lines.last?.hasPrefix("SecretError.locked") == true)
    }

    @Test func `a service that hangs throws`() throws {
      let lines = try Programs.inSession(
        """
        keyring=$(sh -c "$KEYRING_PID"); kill -STOP $keyring
        PATIENCE=3 $USER_PROGRAM service get a; kill -CONT $keyring
        """)
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("SecretError.unavailable: The Secret Service has not answered") == true)
    }

    @Test func `a service that was started anew is found again`() throws {
      // It is started locked, as nobody has logged in: that it says so shows that it was asked.
      let lines = try Programs.inSession(
        """
        $USER_PROGRAM service set a
        $USER_PROGRAM service between a 'kill $(sh -c "$KEYRING_PID")'
        """)
      #expect(lines.first == "of a")
      #expect(lines.last?.hasPrefix("SecretError.locked") == true)
    }

    @Test func `programs that ask for a key at once get one`() throws {
      let lines = try Programs.inSession(
        "for i in 1 2 3 4; do $USER_PROGRAM service key notes & done; wait; $USER_PROGRAM service key notes")
      #expect(lines.count == 5)
      #expect(Set(lines).count == 1)
      #expect(lines.first.flatMap { Data(base64Encoded: $0) }?.count == 32)
    }
  }
#endif
