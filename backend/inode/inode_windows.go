package inode

import (
	"io/fs"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

func of(fs.FileInfo) (number string, changed int64) { return "", 0 }

// basicInfo is FILE_BASIC_INFO: times are in tenths of a microsecond since the year 1601.
type basicInfo struct {
	created, accessed, written, changed int64
	attributes                          uint32
	_                                   uint32
}

func at(path string, _ fs.FileInfo) (number string, changed int64) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return "", 0
	}
	const everything = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	handle, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, everything, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return "", 0
	}
	defer windows.CloseHandle(handle) //nolint:errcheck // nothing was written
	var which windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(handle, &which) == nil {
		number = strconv.FormatUint(uint64(which.FileIndexHigh)<<32|uint64(which.FileIndexLow), 36)
	}
	var basic basicInfo
	if windows.GetFileInformationByHandleEx(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))) != nil {
		return number, 0
	}
	return number, basic.changed
}
