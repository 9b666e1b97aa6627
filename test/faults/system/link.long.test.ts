/** The links that the faults are made of do what they are set to. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Link, openLink } from "./link.ts";

let server: Server;
let link: Link;
/** A link to the same server that is always open. */
let otherLink: Link;
let sockets: Socket[];
/** Every letter that a caller received, in the order in which they came, of all callers. */
let arrivals: string;
beforeEach(async () => {
	sockets = [];
	arrivals = "";
	// Echoes what it receives.
	server = createServer((socket) => void socket.on("error", () => {}).pipe(socket)).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	link = await openLink(port);
	otherLink = await openLink(port);
});
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	await link[Symbol.asyncDispose]();
	await otherLink[Symbol.asyncDispose]();
	server.close();
});

/** A caller that stores what it received, and how it ended. */
function caller({ port } = link) {
	const socket = connect(port, "127.0.0.1").setNoDelay(true);
	const received = { text: "", error: "" };
	socket.on("data", (bytes) => {
		received.text += bytes;
		arrivals += bytes;
	});
	socket.on("error", (error: NodeJS.ErrnoException) => {
		received.error = error.code ?? "";
	});
	sockets.push(socket);
	return Object.assign(received, { say: (text: string) => socket.write(text) });
}

const receives = (one: { text: string }, text: string) => eventually(() => one.text === text);

/** A caller on the other link that has been answered so often since it was made: as late as that, whatever is let through has arrived. */
async function witness(times: number) {
	const one = caller(otherLink);
	for (let text = "."; text.length <= times; text += ".") {
		one.say(".");
		await receives(one, text);
	}
	return one;
}

test("a stalled link passes nothing, and delivers everything in order when it is open again", async () => {
	const before = caller();
	before.say("a");
	await receives(before, "a");
	link.hole();
	const since = caller();
	before.say("b");
	since.say("1");
	await witness(5);
	expect([before.text, since.text]).toEqual(["a", ""]);
	link.open();
	before.say("c");
	await receives(before, "abc");
	await receives(since, "1");
});

test("a cut link resets existing and new connections until it is open again", async () => {
	const one = caller();
	one.say("a");
	await receives(one, "a");
	link.cut();
	await eventually(() => one.error === "ECONNRESET");
	const other = caller();
	await eventually(() => other.error === "ECONNRESET");
	link.open();
	const third = caller();
	third.say("b");
	await receives(third, "b");
});

test("a stranded connection receives nothing until it times out, and a new one works at once", async () => {
	const old = caller();
	old.say("a");
	await receives(old, "a");
	link.strand(1_000);
	old.say("b");
	const fresh = caller();
	fresh.say("1");
	await receives(fresh, "1");
	expect(old).toMatchObject({ text: "a", error: "" });
	await eventually(() => old.error === "ECONNRESET");
});

test("data on a slow link arrives after later data on another, and in order", async () => {
	const one = caller();
	one.say("1");
	await receives(one, "1");
	const quick = await witness(1);
	link.slow(200);
	for (const letter of "abcdef") one.say(letter);
	quick.say("2");
	await receives(one, "1abcdef");
	expect(arrivals).toBe("1.2abcdef");
});

test("data on a slow link is not overtaken by data sent after the link is fast again", async () => {
	const one = caller();
	one.say("a");
	await receives(one, "a");
	link.slow(200);
	one.say("b");
	await witness(1);
	link.open();
	one.say("c");
	await eventually(() => one.text.length === 3);
	expect(one.text).toBe("abc");
});
