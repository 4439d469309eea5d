import CGtk

/// A key that was pressed.
package enum Key: Hashable, Sendable {
  case character(Character)
  case enter, escape, left, right, menu
  case other

  init(_ code: UInt32, _ state: GdkModifierType) {
    let held = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
    let isPlain = state.rawValue & held == 0
    switch Int32(bitPattern: code) {
    case GDK_KEY_Return, GDK_KEY_KP_Enter: self = .enter
    case GDK_KEY_Escape: self = .escape
    case GDK_KEY_Left where isPlain: self = .left
    case GDK_KEY_Right where isPlain: self = .right
    case GDK_KEY_Menu: self = .menu
    default:
      let scalar = Unicode.Scalar(gdk_keyval_to_unicode(code))
      self =
        if isPlain, let scalar, scalar.value >= 32 { .character(Character(scalar)) } else { .other }
    }
  }
}
