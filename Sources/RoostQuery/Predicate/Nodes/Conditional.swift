public import Foundation

extension _PredicateBuilder {
  public typealias Conditional = PredicateExpressions.Conditional

  public static func conditional<C: Node, A: Node, B: Node>(_ test: C, _ yes: A, _ no: B) -> Conditional<C, A, B>
  where C.Output == Bool, A.Output == B.Output { .init(test: test, trueBranch: yes, falseBranch: no) }
  public static func conditional<C: Node, A: Node, B: Node>(_ test: C, _ yes: A, _ no: B)
    -> Conditional<C, _OptionalPromotion<A>, B>
  where C.Output == Bool, B.Output == A.Output? { .init(test: test, trueBranch: .init(yes), falseBranch: no) }
  public static func conditional<C: Node, A: Node, B: Node>(_ test: C, _ yes: A, _ no: B)
    -> Conditional<C, A, _OptionalPromotion<B>>
  where C.Output == Bool, A.Output == B.Output? { .init(test: test, trueBranch: yes, falseBranch: .init(no)) }

  public static func conditional<C: Node, A: Node>(_ test: C, _ yes: A, value no: A.Output)
    -> Conditional<C, A, Value<A.Output>>
  where C.Output == Bool { .init(test: test, trueBranch: yes, falseBranch: .init(no)) }
  @_disfavoredOverload
  public static func conditional<C: Node, A: Node>(_ test: C, _ yes: A, value no: A.Output?)
    -> Conditional<C, _OptionalPromotion<A>, Value<A.Output?>>
  where C.Output == Bool { .init(test: test, trueBranch: .init(yes), falseBranch: .init(no)) }

  public static func conditional<C: Node, B: Node>(_ test: C, value yes: B.Output, _ no: B)
    -> Conditional<C, Value<B.Output>, B>
  where C.Output == Bool { .init(test: test, trueBranch: .init(yes), falseBranch: no) }
  @_disfavoredOverload
  public static func conditional<C: Node, B: Node>(_ test: C, value yes: B.Output?, _ no: B)
    -> Conditional<C, Value<B.Output?>, _OptionalPromotion<B>>
  where C.Output == Bool { .init(test: test, trueBranch: .init(yes), falseBranch: .init(no)) }

  public static func conditional<C: Node, T>(_ test: C, value yes: T, value no: T)
    -> Conditional<C, Value<T>, Value<T>>
  where C.Output == Bool { .init(test: test, trueBranch: .init(yes), falseBranch: .init(no)) }

  /// A condition between the bindings of `if let a = …, condition, let b = …`: nil ends the chain.
  public static func when<C: Node, A: Node, T>(_ test: C, _ yes: A)
    -> Conditional<C, A, PredicateExpressions.NilLiteral<T>>
  where C.Output == Bool, A.Output == T? { .init(test: test, trueBranch: yes, falseBranch: .init()) }
}
