//go:build !linux

package notify

func limitOfFolders() string { return "the system watches no more folders" }

func limitOfFiles() string {
	return "this program may open no more files, and each folder that is watched takes some: ulimit -n raises that where it is started from a shell"
}
