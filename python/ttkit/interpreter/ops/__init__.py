"""The meaning of each operation, a family a file: functions found by `@interprets("tt.load")`."""
