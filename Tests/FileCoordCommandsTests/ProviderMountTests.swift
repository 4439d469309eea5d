import LinuxSystem
import Testing

@testable import FileCoordCommands

/// Where providers' folders are mounted, as the kernel's table says.
struct ProviderMountTests {
  @Test func `only mounts of providers count, with every byte of their names`() {
    let table = """
      22 1 0:21 / / rw,relatime - ext4 /dev/vda rw
      23 22 0:22 / /home/a\\040b/\\303\\244\\134 rw,nosuid,nodev shared:1 - fuse.provider-mount org.example rw
      24 22 0:23 / /run/doc rw - fuse.portal portal rw
      25 22 0:24 / /x rw - fuse.provider-mount - rw
      garbage
      26 22 0:24 / /y rw - 
      """
    let found = ProviderMount.mounts(Array(table.utf8))
    #expect(found == [FilePath("/home/a b/ä\\"), FilePath("/x")])
  }
}
