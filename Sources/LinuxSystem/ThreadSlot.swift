import Glibc

/// One object per thread, released when the thread ends.
///
/// - SeeAlso: pthread_key_create(3)
package struct ThreadSlot<Value: AnyObject>: Sendable {
  private let key: pthread_key_t

  /// Slots are few and made once; running out of the 1,024 keys is a programming error.
  package init() {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { pointer in
      guard let pointer = unsafe pointer else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
    precondition(code == 0, "a process has at most 1,024 thread slots")
    self.key = key
  }

  /// The calling thread's object.
  package var value: Value? {
    get {
      guard let pointer = unsafe pthread_getspecific(key) else { return nil }
      return unsafe Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
    }
    nonmutating set {
      let old = unsafe pthread_getspecific(key)
      let new = unsafe newValue.map {
        unsafe UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque())
      }
      unsafe pthread_setspecific(key, new)
      if let old = unsafe old { unsafe Unmanaged<Value>.fromOpaque(old).release() }
    }
  }
}
