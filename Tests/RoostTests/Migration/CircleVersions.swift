import Roost

/// A class that refers to itself by two lists, of which the one declared first does not come first by its name.
enum Circles {
  enum First {
    @Model final class Person {
      var name: String
      @Relationship(inverse: \Person.followers) var follows: [Person] = []
      var followers: [Person] = []

      init(name: String) { self.name = name }
    }
  }

  enum Second {
    @Model final class Person {
      var name: String
      var note: String?
      @Relationship(inverse: \Person.followers) var follows: [Person] = []
      var followers: [Person] = []

      init(name: String) { self.name = name }
    }
  }
}

/// Lists of two subclasses, which their superclass has later.
enum Toys {
  enum Below {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Cat: Animal {
      var lives: Int
      @Relationship(inverse: nil) var toys: [Toy] = []

      init(name: String, lives: Int) {
        self.lives = lives
        super.init(name: name)
      }
    }

    @Model final class Dog: Animal {
      var legs: Int
      @Relationship(inverse: nil) var toys: [Toy] = []

      init(name: String, legs: Int) {
        self.legs = legs
        super.init(name: name)
      }
    }

    @Model final class Toy {
      var name: String

      init(name: String) { self.name = name }
    }
  }

  enum Above {
    @Model class Animal {
      var name: String
      @Relationship(inverse: nil) var toys: [Toy] = []

      init(name: String) { self.name = name }
    }

    @Model final class Cat: Animal {
      var lives: Int

      init(name: String, lives: Int) {
        self.lives = lives
        super.init(name: name)
      }
    }

    @Model final class Dog: Animal {
      var legs: Int

      init(name: String, legs: Int) {
        self.legs = legs
        super.init(name: name)
      }
    }

    @Model final class Toy {
      var name: String

      init(name: String) { self.name = name }
    }
  }
}
