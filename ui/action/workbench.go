package action

// Actions of the workbench that the texts of several panes and controllers name. They stand in the
// tables of the controllers that carry them out.
const (
	FindAnything    ID = "find-anything"
	NewConversation ID = "new-conversation"
	CancelTask      ID = "cancel-task"
	ShowCard        ID = "show-card"
	ListTasks       ID = "list-tasks"
	ShowLanes       ID = "show-lanes"
	SignIn          ID = "sign-in"
	OpenLink        ID = "open-link"
	FillInForm      ID = "fill-in-form"
	ResendMessage   ID = "edit-and-resend-message"
)
