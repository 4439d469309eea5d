import LinuxSystem

/// Standard output, a whole line at a time.
enum Output {
  private static let descriptor = Mutex(SharedDescriptor(Descriptor(owning: 1)))

  static func line(_ text: String) {
    descriptor.withLock { output in
      // Nobody reads any more: there is nobody to tell.
      try? output.with { descriptor throws(SystemError) in
        try descriptor.write(Array((text + "\n").utf8))
      }
    }
  }
}
