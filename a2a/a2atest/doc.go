// Package a2atest runs scripted A2A agents as real HTTP servers on loopback ports. A script is
// one txtar archive that contains the literal bytes which the agent sends, in any dialect and
// with any faults; the package never uses the client's codec, so that a test against it proves
// something. It imports no testing package: a program can start such agents too.
//
//	script, err := a2atest.Parse("clerk", archive)
//	agent, err := a2atest.Start(ctx, script, a2atest.Options{})
//	defer agent.Close()
//	// … talk to agent.URL …
//
// # The archive
//
// The file "agent" configures the agent, every file "scene NAME" describes how it answers some
// requests, and all other files are bytes to send. Line ends in the archive are LF, even after
// a checkout that changes them.
//
// The lines of "agent" (here and in scenes, # starts a comment line):
//
//	name Travel Desk                  its name for users
//	dialect 1.0                       0.1, 0.2, 0.3 or 1.0: method names and built-in errors
//	endpoint /a2a                     where JSON-RPC requests are posted
//	serve PATH FILE TYPE              a GET route: the card, an icon, a page
//	answer FILE                       the answer to a plain send (see below)
//	extension URI                     it knows this extension: an answer to a request that
//	                                  asks for it repeats it
//	webhooks                          it has push notifications: it stores webhooks with
//	                                  the task, lists, returns and deletes them
//	tasks FILE N                      it lists its tasks, N to a page: FILE, filled in
//	                                  for each of them. In 1.0
//
// # Scenes
//
// The first scene, in the order of the archive, whose conditions hold takes a request:
//
//	on METHOD…        JSON-RPC methods, or HTTP ones with a path: on GET /card.json.
//	                  A GET is about the task that ?task=ID names.
//	                  Without it: both send methods of the dialect. With -: none,
//	                  the scene is only played by others.
//	state WORD…       states of the task; an unknown task is "new",
//	                  and * is every state. Without it: "new" for sends, every
//	                  state for all other methods.
//	text REGEXP       searched in the text of the message, or in the JSON of its
//	                  data parts if it has no text. Named groups become values
//	                  of the task.
//	is TEXT           the text of the message is exactly this
//	extension URI     the request asks for this extension of the agent's
//	bearer            the request has a bearer token, any
//	answer FILE|-     overrides the agent's; - means that a plain send gets the
//	                  same bytes as a stream
//
// A request that no scene takes gets the dialect's error for its method: method not found, task
// not found, not cancelable and so on. A message that lacks its id, role or parts, or has a wrong
// value there, reaches no scene: the error is that of invalid parameters, and names the member.
//
// A scene that takes both send methods is written for the stream. A plain send runs it hidden
// and is answered with the answer file when it ends, or at the first send step if the request
// asked not to wait; then the scene continues.
//
// All other lines are steps, taken one after the other:
//
//	head CODE [TYPE]           status line and content type. Without it: 200 with
//	                           text/event-stream for streams, else application/json
//	header NAME: VALUE         a header, before the first byte of the body
//	send FILE [K=V…]           the file's bytes, placeholders filled in, as one write
//	stream FILE… with FILE     each file cut into chunks, each chunk sent with the last
//	  [words N] [every D]      named file around it; several files take turns. N words
//	                           on average; continues where this task's stream stopped
//	repeat N FILE [every D]    the file N times
//	pause D                    waits: 40ms, or 25ms..60ms for one that varies
//	set NAME FILE [K=V…]       stores the filled-in file (or placeholder) with the task; without
//	                           arguments a value of that name comes before the file
//	add NAME FILE [K=V…]       appends it instead, after a comma
//	let K=V…                   stores literal values with the task
//	goto STATE                 moves the task to a state; the first time makes it known
//	play SCENE                 takes the steps of another scene here, and its when parts
//	hang [GATE]                waits for Release(GATE), for the client to leave, or to
//	                           be closed; a client that left ends the scene
//	cut                        closes the connection without an end
//	reset                      the same with a TCP reset
//	leave                      ends the answer regularly; the steps that follow are
//	                           hidden
//	webhook                    waits until the task has a webhook
//	notify FILE [K=V…]         posts the file to the webhooks of the task, with the token
//	                           and the credentials that they were registered with
//	restart D                  takes the whole agent away for D: cuts everything,
//	                           forgets all tasks, comes back at the same address.
//	                           The scene ends
//	when STATE                 ends the steps. Those that follow are taken when another
//	                           request moves the task to STATE while this scene runs
//
// Values are bare words, or between double or single quotes and then used as they are. Steps
// after a cut are hidden, like everything after a client has left: the agent continues to work.
//
// # Placeholders
//
// Bytes between double braces are filled in when a file is sent:
//
//	id                  the JSON-RPC id as it was sent, or null
//	task context text   task id, context or session id, text of the message
//	message             the message object as it was sent
//	uuid now origin     a fresh id, the time in RFC 3339, http://127.0.0.1:port
//	restarts            how many times the agent has restarted
//	NAME                an argument of the step, a value of the task, or another file
//	                    (without its last line ends)
//	escape FILE         the file as the inside of a JSON string
//	sent FILE           as escape, but only what was streamed to this task so far
//	newest NAME         a value that was added to: its last elements, as many as the
//	                    historyLength of the request asks for
//	base64 FILE         the file in base64
//	hex 0d 0a           these bytes
//	fill N              N bytes of filler text
//	end                 the file ends here, without its last line end
//	chunk file n        in stream and repeat: the chunk, its file, its number from 1
//	append last         in stream: true or false
//
// Text from the request, a named group or a chunk is escaped for use between the quotes of a
// JSON string; inside a streamed or escaped file it is not, because the whole file is escaped
// afterwards.
package a2atest
