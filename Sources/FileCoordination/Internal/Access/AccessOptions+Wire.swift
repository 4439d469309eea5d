import PresenterLink

extension AccessItem {
  /// The access as it travels: the options' raw values are Apple's, so they need no table.
  var askedAccess: AskedItem.Access {
    switch access {
    case .reading(let options): .reading(options.rawValue)
    case .writing(let options): .writing(options.rawValue)
    }
  }
}

extension AskedItem {
  /// What will be done to the item, nil for reading.
  var writingOptions: NSFileCoordinator.WritingOptions? {
    guard case .writing(let raw) = access else { return nil }
    return NSFileCoordinator.WritingOptions(rawValue: raw)
  }

  /// How the item will be read, nil for writing.
  var readingOptions: NSFileCoordinator.ReadingOptions? {
    guard case .reading(let raw) = access else { return nil }
    return NSFileCoordinator.ReadingOptions(rawValue: raw)
  }
}
