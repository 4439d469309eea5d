public import Foundation
import LinuxSystem

/// What a user was doing, as a value that an application may keep and hand on.
///
/// There is nothing on this system that continues activities elsewhere: this holds values, and does
/// nothing. Any thread.
///
/// Apple symbol: NSUserActivity.
open class NSUserActivity: NSObject {
  // @unchecked because it is only reached under the lock below; what an application puts in is handed
  // out as it is.
  private struct Values: @unchecked Sendable {
    var title: String?
    var userInfo: [AnyHashable: Any]?
    var needsSave = false
  }
  private let values = Mutex(Values())

  /// The kind of activity, as its maker named it.
  public let activityType: String

  /// An activity of a kind.
  public init(activityType: String) {
    self.activityType = activityType
    super.init()
  }

  /// What it is called, for people.
  open var title: String? {
    get { values.withLock { Handed($0.title) }.value }
    set { values.withLock { $0.title = newValue } }
  }

  /// What is needed to go on with it.
  open var userInfo: [AnyHashable: Any]? {
    get { values.withLock { Handed($0.userInfo) }.value }
    set {
      let handed = Handed(newValue)
      values.withLock { $0.userInfo = handed.value }
    }
  }

  /// Whether it must be brought up to date before it is used.
  open var needsSave: Bool {
    get { values.withLock { $0.needsSave } }
    set { values.withLock { $0.needsSave = newValue } }
  }

  /// Adds entries to ``userInfo``.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    let handed = Handed(otherDictionary)
    values.withLock { $0.userInfo = ($0.userInfo ?? [:]).merging(handed.value) { $1 } }
  }
}

/// An object that can be brought back to what a user was doing.
///
/// Apple symbol: UIUserActivityRestoring.
public protocol UIUserActivityRestoring: NSObjectProtocol {
  /// Takes what it needs from an activity.
  func restoreUserActivityState(_ userActivity: NSUserActivity)
}
