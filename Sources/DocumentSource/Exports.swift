@_exported public import SourceAttribute
