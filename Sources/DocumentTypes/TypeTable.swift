/// The types that are declared from the start, and what they mean on Linux.
///
/// Which MIME type stands for which type: where several types share one, the first row is the answer
/// to the reverse question.
enum TypeTable {
  typealias Row = (
    identifier: String, supertypes: [String], extensions: [String], mimeTypes: [String]
  )

  static let rows: [Row] = [
    ("public.item", [], [], []),
    ("public.data", ["public.item"], [], ["application/octet-stream"]),
    ("public.content", [], [], []),
    ("public.composite-content", ["public.content"], [], []),
    ("public.directory", ["public.item"], [], ["inode/directory"]),
    ("public.folder", ["public.directory"], [], ["inode/directory"]),
    ("com.apple.package", ["public.directory"], [], ["inode/directory"]),
    ("public.symlink", ["public.item", "com.apple.resolvable"], [], ["inode/symlink"]),
    ("public.executable", ["public.item"], [], []),
    ("public.archive", [], [], []),
    ("public.text", ["public.data", "public.content"], [], ["text/*"]),
    ("public.plain-text", ["public.text"], ["txt"], ["text/plain"]),
    ("public.utf8-plain-text", ["public.plain-text"], [], ["text/plain"]),
    ("public.utf16-plain-text", ["public.plain-text"], [], ["text/plain"]),
    ("public.rtf", ["public.text"], ["rtf"], ["application/rtf"]),
    ("public.html", ["public.text"], ["html", "htm"], ["text/html"]),
    ("public.xml", ["public.text"], ["xml"], ["application/xml"]),
    ("public.json", ["public.text"], ["json"], ["application/json"]),
    ("public.yaml", ["public.text"], ["yaml", "yml"], ["application/x-yaml"]),
    ("public.delimited-values-text", ["public.text"], [], []),
    ("public.comma-separated-values-text", ["public.delimited-values-text"], ["csv"], ["text/csv"]),
    (
      "public.tab-separated-values-text", ["public.delimited-values-text"], ["tsv"],
      ["text/tab-separated-values"]
    ),
    ("net.daringfireball.markdown", ["public.plain-text"], ["md", "markdown"], ["text/markdown"]),
    ("public.log", [], ["log"], ["text/x-log"]),
    ("public.source-code", ["public.plain-text"], [], ["text/*"]),
    ("public.c-source", ["public.source-code"], ["c"], ["text/x-csrc"]),
    ("public.c-header", ["public.source-code"], ["h"], ["text/x-chdr"]),
    ("public.c-plus-plus-source", ["public.source-code"], ["cpp", "cc", "cxx"], ["text/x-c++src"]),
    ("public.c-plus-plus-header", ["public.source-code"], ["hpp", "hh"], ["text/x-c++hdr"]),
    ("public.objective-c-source", ["public.source-code"], ["m"], ["text/x-objcsrc"]),
    ("public.swift-source", ["public.source-code"], ["swift"], ["text/x-swift"]),
    ("public.assembly-source", ["public.source-code"], ["s"], ["text/x-assembly"]),
    (
      "com.netscape.javascript-source", ["public.source-code", "public.executable"], ["js"],
      ["application/javascript"]
    ),
    ("public.script", ["public.source-code"], [], []),
    ("public.shell-script", ["public.script"], ["sh"], ["application/x-shellscript"]),
    ("public.python-script", ["public.shell-script"], ["py"], ["text/x-python"]),
    ("public.perl-script", ["public.shell-script"], ["pl", "pm"], ["application/x-perl"]),
    ("public.ruby-script", ["public.shell-script"], ["rb"], ["application/x-ruby"]),
    ("public.php-script", ["public.shell-script"], ["php"], ["application/x-php"]),
    ("public.make-source", ["public.script"], [], ["text/x-makefile"]),
    ("com.adobe.pdf", ["public.data", "public.composite-content"], ["pdf"], ["application/pdf"]),
    ("com.adobe.postscript", ["public.image"], ["ps"], ["application/postscript"]),
    (
      "com.apple.webarchive", ["public.data", "public.composite-content"], ["webarchive"],
      ["application/x-webarchive"]
    ),
    (
      "org.idpf.epub-container", ["public.data", "public.composite-content"], ["epub"],
      ["application/epub+zip"]
    ),
    ("public.presentation", ["public.composite-content"], [], []),
    ("public.spreadsheet", ["public.content"], [], []),
    (
      "com.microsoft.word.doc", ["public.data", "public.composite-content"], ["doc"],
      ["application/msword"]
    ),
    (
      "org.openxmlformats.wordprocessingml.document", ["public.data", "public.composite-content"],
      ["docx"], ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]
    ),
    (
      "com.microsoft.excel.xls", ["public.data", "public.spreadsheet"], ["xls"],
      ["application/vnd.ms-excel"]
    ),
    (
      "org.openxmlformats.spreadsheetml.sheet", ["public.data", "public.spreadsheet"], ["xlsx"],
      ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"]
    ),
    (
      "com.microsoft.powerpoint.ppt", ["public.data", "public.presentation"], ["ppt"],
      ["application/vnd.ms-powerpoint"]
    ),
    (
      "org.openxmlformats.presentationml.presentation", ["public.data", "public.presentation"],
      ["pptx"], ["application/vnd.openxmlformats-officedocument.presentationml.presentation"]
    ),
    (
      "org.oasis-open.opendocument.text", ["public.data", "public.composite-content"], ["odt"],
      ["application/vnd.oasis.opendocument.text"]
    ),
    (
      "com.apple.iwork.pages.sffpages", ["public.data", "public.composite-content"], ["pages"],
      ["application/vnd.apple.pages"]
    ),
    (
      "com.apple.iwork.numbers.sffnumbers", ["public.data", "public.spreadsheet"], ["numbers"],
      ["application/vnd.apple.numbers"]
    ),
    (
      "com.apple.iwork.keynote.sffkey", ["public.data", "public.presentation"], ["key"],
      ["application/vnd.apple.keynote"]
    ),
    ("com.apple.property-list", ["public.data"], ["plist"], ["application/x-plist"]),
    (
      "com.apple.xml-property-list", ["public.xml", "com.apple.property-list"], [],
      ["application/x-plist"]
    ),
    ("com.apple.binary-property-list", ["com.apple.property-list"], [], ["application/x-plist"]),
    ("public.vcard", ["public.text", "public.contact"], ["vcf"], ["text/vcard"]),
    ("com.apple.ical.ics", ["public.text", "public.calendar-event"], ["ics"], ["text/calendar"]),
    ("public.email-message", ["public.message"], ["eml"], ["message/rfc822"]),
    ("public.x509-certificate", ["public.data"], ["cer", "crt", "der"], ["application/pkix-cert"]),
    ("com.rsa.pkcs-12", ["public.data"], ["p12", "pfx"], ["application/pkcs12"]),
    ("public.font", [], [], ["font/*"]),
    ("public.truetype-ttf-font", ["public.font"], ["ttf"], ["font/ttf"]),
    ("public.opentype-font", ["public.font"], ["otf"], ["font/otf"]),
    ("public.image", ["public.data", "public.content"], [], ["image/*"]),
    ("public.png", ["public.image"], ["png"], ["image/png"]),
    ("public.jpeg", ["public.image"], ["jpeg", "jpg"], ["image/jpeg"]),
    ("public.jpeg-2000", ["public.image"], ["jp2"], ["image/jp2"]),
    ("com.compuserve.gif", ["public.image"], ["gif"], ["image/gif"]),
    ("public.tiff", ["public.image"], ["tiff", "tif"], ["image/tiff"]),
    ("com.microsoft.bmp", ["public.image"], ["bmp"], ["image/bmp"]),
    ("com.microsoft.ico", ["public.image"], ["ico"], ["image/vnd.microsoft.icon"]),
    ("com.apple.icns", ["public.image"], ["icns"], ["image/x-icns"]),
    ("public.heif-standard", ["public.image"], [], ["image/heif"]),
    ("public.heic", ["public.heif-standard"], ["heic"], ["image/heif"]),
    ("public.heif", ["public.heif-standard"], ["heif"], ["image/heif"]),
    ("org.webmproject.webp", ["public.image"], ["webp"], ["image/webp"]),
    ("public.svg-image", ["public.image"], ["svg"], ["image/svg+xml"]),
    ("com.adobe.photoshop-image", ["public.image"], ["psd"], ["image/vnd.adobe.photoshop"]),
    ("com.adobe.raw-image", ["public.camera-raw-image"], ["dng"], ["image/x-adobe-dng"]),
    ("public.audiovisual-content", ["public.data", "public.content"], [], ["audio/*", "video/*"]),
    ("public.movie", ["public.audiovisual-content"], [], ["video/*"]),
    ("public.video", ["public.movie"], [], ["video/*"]),
    ("public.audio", ["public.audiovisual-content"], [], ["audio/*"]),
    ("public.mp3", ["public.audio"], ["mp3"], ["audio/mpeg"]),
    ("public.mpeg-4-audio", ["public.mpeg-4", "public.audio"], ["m4a"], ["audio/mp4"]),
    ("com.microsoft.waveform-audio", ["public.audio"], ["wav"], ["audio/x-wav"]),
    ("public.aiff-audio", ["public.aifc-audio"], ["aiff", "aif"], ["audio/x-aiff"]),
    ("public.midi-audio", ["public.audio"], ["mid", "midi"], ["audio/midi"]),
    ("org.xiph.flac", ["public.audio"], ["flac"], ["audio/flac"]),
    (
      "public.m3u-playlist", ["public.text", "public.playlist"], ["m3u", "m3u8"],
      ["audio/x-mpegurl"]
    ),
    ("com.apple.quicktime-movie", ["public.movie"], ["mov", "qt"], ["video/quicktime"]),
    ("public.mpeg-4", ["public.movie"], ["mp4"], ["video/mp4"]),
    ("com.apple.m4v-video", ["public.mpeg-4"], ["m4v"], ["video/mp4"]),
    ("public.mpeg", ["public.movie"], ["mpg", "mpeg"], ["video/mpeg"]),
    ("public.mpeg-2-transport-stream", ["public.movie"], ["ts", "m2ts"], ["video/mp2t"]),
    ("public.avi", ["public.movie"], ["avi"], ["video/x-msvideo"]),
    ("public.3gpp", ["public.movie"], ["3gp"], ["video/3gpp"]),
    ("org.webmproject.webm", ["public.movie"], ["webm"], ["video/webm"]),
    ("public.zip-archive", ["com.pkware.zip-archive"], ["zip"], ["application/zip"]),
    ("org.gnu.gnu-zip-archive", ["public.data", "public.archive"], ["gz"], ["application/gzip"]),
    ("public.bzip2-archive", ["public.data", "public.archive"], ["bz2"], ["application/x-bzip"]),
    ("public.tar-archive", ["public.data", "public.archive"], ["tar"], ["application/x-tar"]),
    (
      "org.gnu.gnu-zip-tar-archive", ["org.gnu.gnu-zip-archive"], ["tgz", "tar.gz"],
      ["application/x-compressed-tar"]
    ),
    (
      "org.7-zip.7-zip-archive", ["public.data", "public.archive"], ["7z"],
      ["application/x-7z-compressed"]
    ),
    (
      "com.sun.java-archive", ["com.pkware.zip-archive", "public.executable"], ["jar"],
      ["application/x-java-archive"]
    ),
    (
      "com.apple.disk-image-udif", ["public.disk-image"], ["dmg"], ["application/x-apple-diskimage"]
    ),
    ("public.iso-image", ["public.disk-image"], ["iso"], ["application/x-cd-image"]),
    (
      "com.pixar.universal-scene-description-mobile", ["public.3d-content", "public.data"],
      ["usdz"], ["model/vnd.usdz+zip"]
    ),
    ("com.microsoft.internet-shortcut", ["public.data"], ["url"], ["application/x-mswinurl"]),
    (
      "com.microsoft.windows-executable", ["public.data", "public.executable"], ["exe"],
      ["application/x-ms-dos-executable"]
    ),
    (
      "public.unix-executable", ["public.data", "public.executable"], [],
      ["application/x-executable"]
    ),
    ("com.apple.resolvable", [], [], []),
    ("com.apple.bundle", ["public.directory"], [], []),
    ("com.apple.rtfd", ["com.apple.package", "public.composite-content"], ["rtfd"], []),
    ("org.textbundle.package", ["com.apple.package"], ["textbundle"], []),
    ("com.pkware.zip-archive", ["public.data", "public.archive"], [], []),
    ("public.aifc-audio", ["public.audio"], ["aifc"], ["audio/x-aifc"]),
    ("public.camera-raw-image", ["public.image"], [], []),
    ("public.disk-image", ["public.data", "public.archive"], [], []),
    ("public.contact", [], [], []),
    ("public.message", [], [], []),
    ("public.calendar-event", [], [], []),
    ("public.playlist", [], [], []),
    ("public.3d-content", ["public.content"], [], []),
    ("public.database", [], [], []),
    ("public.url", ["public.data"], [], []),
    ("public.file-url", ["public.url"], [], []),
    ("com.apple.application", ["public.executable"], [], []),
  ]

  /// Other MIME types for the same, that are no aliases in every version of the MIME database.
  static let otherMIMETypes: [String: String] = [
    "text/rtf": "public.rtf", "text/xml": "public.xml", "application/yaml": "public.yaml",
    "text/yaml": "public.yaml", "text/javascript": "com.netscape.javascript-source",
    "application/x-pkcs12": "com.rsa.pkcs-12", "image/heic": "public.heic",
    "audio/vnd.wave": "com.microsoft.waveform-audio", "audio/wav": "com.microsoft.waveform-audio",
    "video/x-m4v": "com.apple.m4v-video", "application/x-bzip2": "public.bzip2-archive",
    "application/java-archive": "com.sun.java-archive",
    "application/x-x509-ca-cert": "public.x509-certificate",
    "application/vnd.usdz+zip": "com.pixar.universal-scene-description-mobile",
  ]
}
