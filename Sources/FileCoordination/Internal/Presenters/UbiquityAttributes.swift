import Foundation

/// The keys that Foundation has for an item's place in a cloud.
enum UbiquityAttributes {
  static let all: [URLResourceKey] = [
    "NSURLIsUbiquitousItemKey", "NSURLUbiquitousItemHasUnresolvedConflictsKey",
    "NSURLUbiquitousItemIsDownloadingKey", "NSURLUbiquitousItemIsUploadedKey",
    "NSURLUbiquitousItemIsUploadingKey", "NSURLUbiquitousItemDownloadingStatusKey",
    "NSURLUbiquitousItemDownloadingErrorKey", "NSURLUbiquitousItemUploadingErrorKey",
    "NSURLUbiquitousItemDownloadRequestedKey", "NSURLUbiquitousItemContainerDisplayNameKey",
    "NSURLUbiquitousItemIsSharedKey", "NSURLUbiquitousSharedItemCurrentUserRoleKey",
    "NSURLUbiquitousSharedItemCurrentUserPermissionsKey",
    "NSURLUbiquitousSharedItemOwnerNameComponentsKey",
    "NSURLUbiquitousSharedItemMostRecentEditorNameComponentsKey",
    "NSURLUbiquitousItemIsExcludedFromSyncKey", "NSURLUbiquitousItemIsSyncPausedKey",
    "NSURLUbiquitousItemSupportedSyncControlsKey",
  ].map(URLResourceKey.init(rawValue:))
}
