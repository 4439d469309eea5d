package import Testing

extension Tag {
  /// Needs two processes or more.
  @Tag package static var multiProcess: Tag
  /// Takes seconds.
  @Tag package static var slow: Tag
  /// Kills a process in the middle of something.
  @Tag package static var crash: Tag
}
