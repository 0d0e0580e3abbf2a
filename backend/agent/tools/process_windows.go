package tools

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os/exec"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// shellCommand runs a text in PowerShell. It is passed on in base 64, since the two disagree on quotes.
func shellCommand(text string) *exec.Cmd {
	const before = "[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)\n$global:LASTEXITCODE = 0\n"
	const after = "\n$ok = $?\nif ($LASTEXITCODE) { exit $LASTEXITCODE }\nif (-not $ok) { exit 1 }\n"
	name := "powershell.exe"
	if path, err := exec.LookPath("pwsh.exe"); err == nil {
		name = path
	}
	var encoded []byte
	for _, unit := range utf16.Encode([]rune(before + text + after)) {
		encoded = binary.LittleEndian.AppendUint16(encoded, unit)
	}
	return exec.Command(name, "-NoLogo", "-NoProfile", "-NonInteractive", "-EncodedCommand", base64.StdEncoding.EncodeToString(encoded))
}

// family are a process and those that it started: a job, which ends them all when it is closed, also if this program ends
// without a word.
type family struct{ job windows.Handle }

func start(command *exec.Cmd) (*family, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("making a job: %w", err)
	}
	f := &family{job: job}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		f.close()
		return nil, fmt.Errorf("limiting a job: %w", err)
	}
	command.SysProcAttr = &windows.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if err := command.Start(); err != nil {
		f.close()
		return nil, err //nolint:wrapcheck // the caller says what it is
	}
	if err := f.take(uint32(command.Process.Pid)); err != nil {
		_ = command.Process.Kill() // it may have ended by itself
		_ = command.Wait()         // how it ended is of no use to anybody
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *family) take(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("opening the process: %w", err)
	}
	defer func() { _ = windows.CloseHandle(process) }() // only a handle that is none can't be closed
	if err := windows.AssignProcessToJobObject(f.job, process); err != nil {
		return fmt.Errorf("taking the process into a job: %w", err)
	}
	return nil
}

// end is kill: there is nothing here that asks a program without a window to end.
func (f *family) end() { f.kill() }

// kill has nobody to tell that there is nobody left.
func (f *family) kill() { _ = windows.TerminateJobObject(f.job, 1) }

func (f *family) close() { _ = windows.CloseHandle(f.job) } // as above
