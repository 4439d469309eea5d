// Apple's names for the types that are declared from the start.

extension UTType {
  /// `public.item`.
  ///
  /// Apple symbol: UTType.item.
  public static let item = UTType(declared: "public.item")
  /// `public.content`.
  ///
  /// Apple symbol: UTType.content.
  public static let content = UTType(declared: "public.content")
  /// `public.composite-content`.
  ///
  /// Apple symbol: UTType.compositeContent.
  public static let compositeContent = UTType(declared: "public.composite-content")
  /// `public.data`.
  ///
  /// Apple symbol: UTType.data.
  public static let data = UTType(declared: "public.data")
  /// `public.directory`.
  ///
  /// Apple symbol: UTType.directory.
  public static let directory = UTType(declared: "public.directory")
  /// `public.folder`.
  ///
  /// Apple symbol: UTType.folder.
  public static let folder = UTType(declared: "public.folder")
  /// `com.apple.package`.
  ///
  /// Apple symbol: UTType.package.
  public static let package = UTType(declared: "com.apple.package")
  /// `com.apple.bundle`.
  ///
  /// Apple symbol: UTType.bundle.
  public static let bundle = UTType(declared: "com.apple.bundle")
  /// `public.symlink`.
  ///
  /// Apple symbol: UTType.symbolicLink.
  public static let symbolicLink = UTType(declared: "public.symlink")
  /// `com.apple.resolvable`.
  ///
  /// Apple symbol: UTType.resolvable.
  public static let resolvable = UTType(declared: "com.apple.resolvable")
  /// `public.executable`.
  ///
  /// Apple symbol: UTType.executable.
  public static let executable = UTType(declared: "public.executable")
  /// `com.apple.application`.
  ///
  /// Apple symbol: UTType.application.
  public static let application = UTType(declared: "com.apple.application")
  /// `public.archive`.
  ///
  /// Apple symbol: UTType.archive.
  public static let archive = UTType(declared: "public.archive")
  /// `public.disk-image`.
  ///
  /// Apple symbol: UTType.diskImage.
  public static let diskImage = UTType(declared: "public.disk-image")
  /// `public.url`.
  ///
  /// Apple symbol: UTType.url.
  public static let url = UTType(declared: "public.url")
  /// `public.file-url`.
  ///
  /// Apple symbol: UTType.fileURL.
  public static let fileURL = UTType(declared: "public.file-url")
  /// `public.text`.
  ///
  /// Apple symbol: UTType.text.
  public static let text = UTType(declared: "public.text")
  /// `public.plain-text`.
  ///
  /// Apple symbol: UTType.plainText.
  public static let plainText = UTType(declared: "public.plain-text")
  /// `public.utf8-plain-text`.
  ///
  /// Apple symbol: UTType.utf8PlainText.
  public static let utf8PlainText = UTType(declared: "public.utf8-plain-text")
  /// `public.utf16-plain-text`.
  ///
  /// Apple symbol: UTType.utf16PlainText.
  public static let utf16PlainText = UTType(declared: "public.utf16-plain-text")
  /// `public.rtf`.
  ///
  /// Apple symbol: UTType.rtf.
  public static let rtf = UTType(declared: "public.rtf")
  /// `com.apple.rtfd`.
  ///
  /// Apple symbol: UTType.rtfd.
  public static let rtfd = UTType(declared: "com.apple.rtfd")
  /// `public.html`.
  ///
  /// Apple symbol: UTType.html.
  public static let html = UTType(declared: "public.html")
  /// `public.xml`.
  ///
  /// Apple symbol: UTType.xml.
  public static let xml = UTType(declared: "public.xml")
  /// `public.json`.
  ///
  /// Apple symbol: UTType.json.
  public static let json = UTType(declared: "public.json")
  /// `public.yaml`.
  ///
  /// Apple symbol: UTType.yaml.
  public static let yaml = UTType(declared: "public.yaml")
  /// `public.delimited-values-text`.
  ///
  /// Apple symbol: UTType.delimitedText.
  public static let delimitedText = UTType(declared: "public.delimited-values-text")
  /// `public.comma-separated-values-text`.
  ///
  /// Apple symbol: UTType.commaSeparatedText.
  public static let commaSeparatedText = UTType(declared: "public.comma-separated-values-text")
  /// `public.tab-separated-values-text`.
  ///
  /// Apple symbol: UTType.tabSeparatedText.
  public static let tabSeparatedText = UTType(declared: "public.tab-separated-values-text")
  /// `public.log`.
  ///
  /// Apple symbol: UTType.log.
  public static let log = UTType(declared: "public.log")
  /// `public.source-code`.
  ///
  /// Apple symbol: UTType.sourceCode.
  public static let sourceCode = UTType(declared: "public.source-code")
  /// `public.c-source`.
  ///
  /// Apple symbol: UTType.cSource.
  public static let cSource = UTType(declared: "public.c-source")
  /// `public.c-header`.
  ///
  /// Apple symbol: UTType.cHeader.
  public static let cHeader = UTType(declared: "public.c-header")
  /// `public.c-plus-plus-source`.
  ///
  /// Apple symbol: UTType.cPlusPlusSource.
  public static let cPlusPlusSource = UTType(declared: "public.c-plus-plus-source")
  /// `public.c-plus-plus-header`.
  ///
  /// Apple symbol: UTType.cPlusPlusHeader.
  public static let cPlusPlusHeader = UTType(declared: "public.c-plus-plus-header")
  /// `public.objective-c-source`.
  ///
  /// Apple symbol: UTType.objectiveCSource.
  public static let objectiveCSource = UTType(declared: "public.objective-c-source")
  /// `public.swift-source`.
  ///
  /// Apple symbol: UTType.swiftSource.
  public static let swiftSource = UTType(declared: "public.swift-source")
  /// `public.assembly-source`.
  ///
  /// Apple symbol: UTType.assemblyLanguageSource.
  public static let assemblyLanguageSource = UTType(declared: "public.assembly-source")
  /// `com.netscape.javascript-source`.
  ///
  /// Apple symbol: UTType.javaScript.
  public static let javaScript = UTType(declared: "com.netscape.javascript-source")
  /// `public.script`.
  ///
  /// Apple symbol: UTType.script.
  public static let script = UTType(declared: "public.script")
  /// `public.shell-script`.
  ///
  /// Apple symbol: UTType.shellScript.
  public static let shellScript = UTType(declared: "public.shell-script")
  /// `public.python-script`.
  ///
  /// Apple symbol: UTType.pythonScript.
  public static let pythonScript = UTType(declared: "public.python-script")
  /// `public.perl-script`.
  ///
  /// Apple symbol: UTType.perlScript.
  public static let perlScript = UTType(declared: "public.perl-script")
  /// `public.ruby-script`.
  ///
  /// Apple symbol: UTType.rubyScript.
  public static let rubyScript = UTType(declared: "public.ruby-script")
  /// `public.php-script`.
  ///
  /// Apple symbol: UTType.phpScript.
  public static let phpScript = UTType(declared: "public.php-script")
  /// `public.make-source`.
  ///
  /// Apple symbol: UTType.makefile.
  public static let makefile = UTType(declared: "public.make-source")
  /// `com.adobe.pdf`.
  ///
  /// Apple symbol: UTType.pdf.
  public static let pdf = UTType(declared: "com.adobe.pdf")
  /// `com.apple.webarchive`.
  ///
  /// Apple symbol: UTType.webArchive.
  public static let webArchive = UTType(declared: "com.apple.webarchive")
  /// `org.idpf.epub-container`.
  ///
  /// Apple symbol: UTType.epub.
  public static let epub = UTType(declared: "org.idpf.epub-container")
  /// `public.presentation`.
  ///
  /// Apple symbol: UTType.presentation.
  public static let presentation = UTType(declared: "public.presentation")
  /// `public.spreadsheet`.
  ///
  /// Apple symbol: UTType.spreadsheet.
  public static let spreadsheet = UTType(declared: "public.spreadsheet")
  /// `public.database`.
  ///
  /// Apple symbol: UTType.database.
  public static let database = UTType(declared: "public.database")
  /// `com.apple.property-list`.
  ///
  /// Apple symbol: UTType.propertyList.
  public static let propertyList = UTType(declared: "com.apple.property-list")
  /// `com.apple.xml-property-list`.
  ///
  /// Apple symbol: UTType.xmlPropertyList.
  public static let xmlPropertyList = UTType(declared: "com.apple.xml-property-list")
  /// `com.apple.binary-property-list`.
  ///
  /// Apple symbol: UTType.binaryPropertyList.
  public static let binaryPropertyList = UTType(declared: "com.apple.binary-property-list")
  /// `public.vcard`.
  ///
  /// Apple symbol: UTType.vCard.
  public static let vCard = UTType(declared: "public.vcard")
  /// `public.contact`.
  ///
  /// Apple symbol: UTType.contact.
  public static let contact = UTType(declared: "public.contact")
  /// `public.message`.
  ///
  /// Apple symbol: UTType.message.
  public static let message = UTType(declared: "public.message")
  /// `public.calendar-event`.
  ///
  /// Apple symbol: UTType.calendarEvent.
  public static let calendarEvent = UTType(declared: "public.calendar-event")
  /// `public.email-message`.
  ///
  /// Apple symbol: UTType.emailMessage.
  public static let emailMessage = UTType(declared: "public.email-message")
  /// `public.x509-certificate`.
  ///
  /// Apple symbol: UTType.x509Certificate.
  public static let x509Certificate = UTType(declared: "public.x509-certificate")
  /// `com.rsa.pkcs-12`.
  ///
  /// Apple symbol: UTType.pkcs12.
  public static let pkcs12 = UTType(declared: "com.rsa.pkcs-12")
  /// `public.font`.
  ///
  /// Apple symbol: UTType.font.
  public static let font = UTType(declared: "public.font")
  /// `public.image`.
  ///
  /// Apple symbol: UTType.image.
  public static let image = UTType(declared: "public.image")
  /// `public.png`.
  ///
  /// Apple symbol: UTType.png.
  public static let png = UTType(declared: "public.png")
  /// `public.jpeg`.
  ///
  /// Apple symbol: UTType.jpeg.
  public static let jpeg = UTType(declared: "public.jpeg")
  /// `com.compuserve.gif`.
  ///
  /// Apple symbol: UTType.gif.
  public static let gif = UTType(declared: "com.compuserve.gif")
  /// `public.tiff`.
  ///
  /// Apple symbol: UTType.tiff.
  public static let tiff = UTType(declared: "public.tiff")
  /// `com.microsoft.bmp`.
  ///
  /// Apple symbol: UTType.bmp.
  public static let bmp = UTType(declared: "com.microsoft.bmp")
  /// `com.microsoft.ico`.
  ///
  /// Apple symbol: UTType.ico.
  public static let ico = UTType(declared: "com.microsoft.ico")
  /// `com.apple.icns`.
  ///
  /// Apple symbol: UTType.icns.
  public static let icns = UTType(declared: "com.apple.icns")
  /// `public.heic`.
  ///
  /// Apple symbol: UTType.heic.
  public static let heic = UTType(declared: "public.heic")
  /// `public.heif`.
  ///
  /// Apple symbol: UTType.heif.
  public static let heif = UTType(declared: "public.heif")
  /// `org.webmproject.webp`.
  ///
  /// Apple symbol: UTType.webP.
  public static let webP = UTType(declared: "org.webmproject.webp")
  /// `public.svg-image`.
  ///
  /// Apple symbol: UTType.svg.
  public static let svg = UTType(declared: "public.svg-image")
  /// `public.camera-raw-image`.
  ///
  /// Apple symbol: UTType.rawImage.
  public static let rawImage = UTType(declared: "public.camera-raw-image")
  /// `public.3d-content`.
  ///
  /// Apple symbol: UTType.threeDContent.
  public static let threeDContent = UTType(declared: "public.3d-content")
  /// `com.pixar.universal-scene-description-mobile`.
  ///
  /// Apple symbol: UTType.usdz.
  public static let usdz = UTType(declared: "com.pixar.universal-scene-description-mobile")
  /// `public.audiovisual-content`.
  ///
  /// Apple symbol: UTType.audiovisualContent.
  public static let audiovisualContent = UTType(declared: "public.audiovisual-content")
  /// `public.movie`.
  ///
  /// Apple symbol: UTType.movie.
  public static let movie = UTType(declared: "public.movie")
  /// `public.video`.
  ///
  /// Apple symbol: UTType.video.
  public static let video = UTType(declared: "public.video")
  /// `public.audio`.
  ///
  /// Apple symbol: UTType.audio.
  public static let audio = UTType(declared: "public.audio")
  /// `public.mp3`.
  ///
  /// Apple symbol: UTType.mp3.
  public static let mp3 = UTType(declared: "public.mp3")
  /// `public.mpeg-4-audio`.
  ///
  /// Apple symbol: UTType.mpeg4Audio.
  public static let mpeg4Audio = UTType(declared: "public.mpeg-4-audio")
  /// `com.microsoft.waveform-audio`.
  ///
  /// Apple symbol: UTType.wav.
  public static let wav = UTType(declared: "com.microsoft.waveform-audio")
  /// `public.aiff-audio`.
  ///
  /// Apple symbol: UTType.aiff.
  public static let aiff = UTType(declared: "public.aiff-audio")
  /// `public.midi-audio`.
  ///
  /// Apple symbol: UTType.midi.
  public static let midi = UTType(declared: "public.midi-audio")
  /// `public.playlist`.
  ///
  /// Apple symbol: UTType.playlist.
  public static let playlist = UTType(declared: "public.playlist")
  /// `public.m3u-playlist`.
  ///
  /// Apple symbol: UTType.m3uPlaylist.
  public static let m3uPlaylist = UTType(declared: "public.m3u-playlist")
  /// `com.apple.quicktime-movie`.
  ///
  /// Apple symbol: UTType.quickTimeMovie.
  public static let quickTimeMovie = UTType(declared: "com.apple.quicktime-movie")
  /// `public.mpeg-4`.
  ///
  /// Apple symbol: UTType.mpeg4Movie.
  public static let mpeg4Movie = UTType(declared: "public.mpeg-4")
  /// `public.mpeg`.
  ///
  /// Apple symbol: UTType.mpeg.
  public static let mpeg = UTType(declared: "public.mpeg")
  /// `public.mpeg-2-transport-stream`.
  ///
  /// Apple symbol: UTType.mpeg2TransportStream.
  public static let mpeg2TransportStream = UTType(declared: "public.mpeg-2-transport-stream")
  /// `public.avi`.
  ///
  /// Apple symbol: UTType.avi.
  public static let avi = UTType(declared: "public.avi")
  /// `public.zip-archive`.
  ///
  /// Apple symbol: UTType.zip.
  public static let zip = UTType(declared: "public.zip-archive")
  /// `org.gnu.gnu-zip-archive`.
  ///
  /// Apple symbol: UTType.gzip.
  public static let gzip = UTType(declared: "org.gnu.gnu-zip-archive")
  /// `public.bzip2-archive`.
  ///
  /// Apple symbol: UTType.bz2.
  public static let bz2 = UTType(declared: "public.bzip2-archive")
  /// `com.microsoft.internet-shortcut`.
  ///
  /// Apple symbol: UTType.internetShortcut.
  public static let internetShortcut = UTType(declared: "com.microsoft.internet-shortcut")
  /// `com.microsoft.windows-executable`.
  ///
  /// Apple symbol: UTType.exe.
  public static let exe = UTType(declared: "com.microsoft.windows-executable")
  /// `public.unix-executable`.
  ///
  /// Apple symbol: UTType.unixExecutable.
  public static let unixExecutable = UTType(declared: "public.unix-executable")
}
