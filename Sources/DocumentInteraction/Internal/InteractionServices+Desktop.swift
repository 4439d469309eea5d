import DesktopFiles
import DesktopPrograms
import FileCoordination
import Foundation
import LinuxSystem

extension InteractionServices {
  /// The desktop that this process runs in.
  package static let desktop = InteractionServices(
    typeOfItem: { url in
      // What cannot be looked at has no type.
      FilePath(url).flatMap { try? DesktopPrograms.type(of: $0) }
    },
    typeOfName: { DesktopPrograms.type(ofName: $0) },
    icons: { DocumentIcons.icons(of: $0) },
    programs: { type in
      if Confinement.isConfined {
        return Confinement.canOpen
          ? [Program(id: HandOff.outside, name: "Another Program…")] : []
      }
      return DesktopPrograms.menu(for: type).map {
        Program(id: $0.id, name: $0.name, icon: $0.iconName)
      }
    },
    open: { handOff, presenter in
      try await OwnThread.run { try handOff.run(NSFileCoordinator(filePresenter: presenter)) }
    },
    canPreview: { DocumentPreview.canPreview($0, $1) },
    preview: { url, type in
      try await OwnThread.run { try DocumentPreview.make(of: url, type) }
    },
    canPerform: { DocumentActions.canPerform($0, $1, $2) },
    perform: { action, url, type in
      try await OwnThread.run { try DocumentActions.perform(action, url, type) }
    }
  )
}

/// Icons of types.
package enum DocumentIcons {
  private static let sizes = [16, 22, 32, 48, 64, 128, 256]
  private static let theme: IconTheme? = (try? DesktopDirectories.current()).map(IconTheme.init)

  /// The icon of a MIME type in all sizes, the smallest first; never empty.
  package static func icons(of type: String) -> [DocumentIcon] {
    let names = DesktopPrograms.iconNames(for: type).filter { !$0.isEmpty } + ["text-x-generic"]
    return sizes.map { size in
      DocumentIcon(
        name: names[0],
        size: size,
        file: theme?.file(names, size: size)?.url()
      )
    }
  }
}
