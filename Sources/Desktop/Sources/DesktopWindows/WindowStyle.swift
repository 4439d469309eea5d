import Gtk

/// What our windows add to the user's style.
package enum WindowStyle {
  /// To be called once, after the toolkit's start.
  @MainActor package static func install() {
    Toolkit.addStyle(
      """
      .facts { padding: 6px 12px; font-size: smaller; opacity: 0.75; }
      .name { font-weight: bold; font-size: larger; }
      .dim { opacity: 0.65; }
      .banner { padding: 6px 12px; background: #f6d32d; color: #241f31; }
      .stage { background: alpha(currentColor, 0.08); }
      .failure { color: #c01c28; }
      """
    )
  }
}
