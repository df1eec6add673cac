import Roost

/// Dogs, and who refers to them.
enum Kennels {
  enum First {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Dog: Animal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Wolf: Dog {
      var pack: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Owner {
      var pet: Dog?
      var walked: [Dog] = []

      init(pet: Dog? = nil) { self.pet = pet }
    }
  }

  /// Wolves are no dogs.
  enum Wild {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Dog: Animal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Wolf: Animal {
      var pack: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Owner {
      var pet: Dog?
      var walked: [Dog] = []

      init(pet: Dog? = nil) { self.pet = pet }
    }
  }

  /// The same, and each owner must have a dog.
  enum Bound {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Dog: Animal {
      var breed: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Wolf: Animal {
      var pack: String?

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Owner {
      var pet: Dog
      var walked: [Dog] = []

      init(pet: Dog) { self.pet = pet }
    }
  }
}
