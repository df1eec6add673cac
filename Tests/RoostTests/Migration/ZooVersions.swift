import Roost

/// Animals whose classes come and go.
enum Zoos {
  enum First {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var wings: Int

      init(name: String, wings: Int) {
        self.wings = wings
        super.init(name: name)
      }
    }

    @Model final class Dog: Mammal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// Without mammals, and without legs.
  enum Bare {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Dog: Animal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// Without mammals, and with legs for all.
  enum Flat {
    @Model class Animal {
      var name: String
      var legs: Int?

      init(name: String) { self.name = name }
    }

    @Model final class Dog: Animal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// Dogs have wings, and no legs.
  enum Winged {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var wings: Int

      init(name: String, wings: Int) {
        self.wings = wings
        super.init(name: name)
      }
    }

    @Model final class Dog: Bird {
      var breed: String?

      override init(name: String, wings: Int) { super.init(name: name, wings: wings) }
    }
  }

  /// Dogs have wings, as many as all, and legs of their own.
  enum Griffin {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var wings: Int = 2

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Dog: Bird {
      var breed: String?
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// What birds have is said in words.
  enum Told {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var span: String

      init(name: String, span: String) {
        self.span = span
        super.init(name: name)
      }
    }

    @Model final class Dog: Mammal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// Birds are no animals.
  enum Apart {
    @Model final class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Bird {
      var name: String
      var wings: Int

      init(name: String, wings: Int) { (self.name, self.wings) = (name, wings) }
    }
  }

  /// Birds are no animals.
  enum Free {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Bird {
      var name: String
      var wings: Int

      init(name: String, wings: Int) { (self.name, self.wings) = (name, wings) }
    }
  }

  /// Birds have a ring, which tells them apart.
  enum Ringed {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var wings: Int
      @Attribute(.unique) var ring: String = "none"

      init(name: String, wings: Int) {
        self.wings = wings
        super.init(name: name)
      }
    }

    @Model final class Dog: Mammal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }

  /// All animals have a size, which is said of birds by what they had.
  enum Sized {
    @Model class Animal {
      var name: String
      var size: String = "unknown"

      init(name: String) { self.name = name }
    }

    @Model class Mammal: Animal {
      var legs: Int?

      override init(name: String) { super.init(name: name) }
    }

    @Model class Bird: Animal {
      var song: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Dog: Mammal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }
  }
}
