import CGIO
import Foundation

/// GIO's own calls, with nothing around them.
enum GIO {
  static func count(for type: String) -> Int {
    let list = g_app_info_get_all_for_type(type)
    let count = Int(g_list_length(list))
    g_list_free_full(list, g_object_unref)
    return count
  }

  /// The names of the entries, in GIO's order.
  static func programs(for type: String) -> [String] {
    let list = g_app_info_get_all_for_type(type)
    defer { g_list_free_full(list, g_object_unref) }
    var names: [String] = []
    var next = list
    while let item = next {
      if let data = item.pointee.data, let id = g_app_info_get_id(OpaquePointer(data)) {
        names.append(String(cString: id))
      }
      next = item.pointee.next
    }
    return names
  }

  static func type(of path: String) -> String? {
    guard let type = dp_content_type(path, nil) else { return nil }
    defer { g_free(type) }
    return String(cString: type)
  }

  static func typeLength(of path: String) -> Int {
    guard let type = dp_content_type(path, nil) else { return 0 }
    defer { g_free(type) }
    return strlen(type)
  }
}

/// What the kernel asks for one thumbnail that is there.
enum KernelFloor {
  static func lookUp(_ original: String, _ cached: String) {
    var status = stat()
    _ = stat(original, &status)
    let file = open(cached, O_RDONLY | O_CLOEXEC)
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
      _ = read(file, buffer.baseAddress, 4096)
    }
    close(file)
  }
}
