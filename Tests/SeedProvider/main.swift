import DocumentPicker

DocumentProviderProgram.run(
  picker: { DocumentPickerViewController() },
  fileProvider: { FileProvider() }
)
