import Roost

/// Properties of two subclasses that are not quite alike, which a class between has later.
enum Tame {
  enum Below {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Cat: Animal {
      var tag: String
      var owner: Keeper?

      init(name: String, tag: String) {
        self.tag = tag
        super.init(name: name)
      }
    }

    @Model final class Dog: Animal {
      var tag: String?
      @Relationship(inverse: nil) var owner: Keeper?

      init(name: String, tag: String?) {
        self.tag = tag
        super.init(name: name)
      }
    }

    @Model final class Keeper {
      var name: String
      @Relationship(inverse: \Cat.owner) var cats: [Cat] = []

      init(name: String) { self.name = name }
    }
  }

  enum Above {
    @Model class Animal {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model class Pet: Animal {
      var tag: String
      var owner: Keeper?

      init(name: String, tag: String) {
        self.tag = tag
        super.init(name: name)
      }
    }

    @Model final class Cat: Pet {
      var lives: Int?
    }

    @Model final class Dog: Pet {
      var legs: Int?
    }

    @Model final class Keeper {
      var name: String
      @Relationship(originalName: "cats", inverse: \Pet.owner) var pets: [Pet] = []

      init(name: String) { self.name = name }
    }
  }
}
