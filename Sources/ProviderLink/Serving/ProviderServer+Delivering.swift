import LinuxSystem

/// One delivery per item, whoever asks, and never a half one.
///
/// The placeholder is there before the delivery begins and goes when it has ended well. So a process
/// that dies in between leaves a placeholder, and whatever stands beside it counts for nothing.
extension ProviderServer {
  func provide(_ item: FilePath, _ question: Question) {
    guard mayTouch(item) else { return answer(question, Self.outside(item)) }
    connections[question.user]?.uses.insert(item)
    work.beginUse(of: item)
    if work.join(item, question) { return }
    if Placeholder.stands(for: item) {
      work.beginDelivery(of: item, question)
      startProviding(item)
    } else if Placeholder.exists(item) {
      // Delivered since the user looked.
      answer(question, nil)
    } else {
      work.beginDelivery(of: item, question)
      if work.beginPlacing(item) { startPlacing(item) }
    }
  }

  func place(_ item: FilePath, _ question: Question) {
    guard mayTouch(item) else { return answer(question, Self.outside(item)) }
    if Placeholder.stands(for: item) || Placeholder.exists(item) {
      return answer(question, nil)
    }
    if work.joinPlacing(item, question) { startPlacing(item) }
  }

  func placed(_ item: FilePath, _ fault: ProviderFault?) {
    var fault = fault
    if fault == nil, !Placeholder.stands(for: item) {
      // It says that it wrote one: an empty one does, too.
      do throws(SystemError) {
        try FileSystem.makeDirectories(item.parent ?? item)
        try FileSystem.replace(Placeholder.path(of: item), with: [])
      } catch { fault = Self.fault(error) }
    }
    for question in work.endPlacing(item) { answer(question, fault) }
    guard work.isDelivering(item) else { return }
    if let fault { finish(item, fault) } else { startProviding(item) }
  }

  func delivered(_ item: FilePath, _ fault: ProviderFault?) {
    var fault = fault
    if fault == nil, !Placeholder.exists(item) {
      fault = ProviderFault(
        domain: "NSCocoaErrorDomain",
        code: 4,
        texts: [
          "NSLocalizedDescription":
            "the provider “\(declaration.displayName)” says that it delivered \(item), "
            + "but nothing is there"
        ]
      )
    }
    if fault == nil {
      do throws(SystemError) { try Placeholder.remove(for: item) } catch {
        fault = Self.fault(error)
      }
    }
    finish(item, fault)
  }

  private func finish(_ item: FilePath, _ fault: ProviderFault?) {
    let (waiting, settling) = work.endDelivery(of: item, succeeded: fault == nil)
    for question in waiting { answer(question, fault) }
    for question in settling { answer(question, nil) }
  }

  private static func fault(_ error: SystemError) -> ProviderFault {
    ProviderFault(
      domain: "NSPOSIXErrorDomain",
      code: Int(error.code.rawValue),
      texts: ["NSLocalizedDescription": error.description]
    )
  }
}
