import RoostCommand

RoostCommand.main()
