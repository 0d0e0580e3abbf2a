package session

import "golang.org/x/sys/windows"

// Room is how many bytes may still be written to the disk of a directory; not known of a file system that does not count them.
func Room(dir string) (bytes uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err == nil
}
