import CFuse

/// The kernel's call that the calling thread serves.
public enum FuseRequest {
  /// Whether the program that made it shall go on without an answer: it got a signal.
  public static var isInterrupted: Bool { fuse_interrupted() != 0 }
}
