/** The links that the faults are made of do what they are told. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Link, openLink } from "./link.ts";

let server: Server;
let link: Link;
let sockets: Socket[];
beforeEach(async () => {
	sockets = [];
	// Says back what it hears.
	server = createServer((socket) => void socket.on("error", () => {}).pipe(socket)).listen(0, "127.0.0.1");
	await once(server, "listening");
	link = await openLink((server.address() as AddressInfo).port);
});
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	await link[Symbol.asyncDispose]();
	server.close();
});

/** A caller that remembers what it was told, and how it ended. */
function caller() {
	const socket = connect(link.port, "127.0.0.1");
	const heard = { text: "", error: "" };
	socket.on("data", (bytes) => {
		heard.text += bytes;
	});
	socket.on("error", (error: NodeJS.ErrnoException) => {
		heard.error = error.code ?? "";
	});
	sockets.push(socket);
	return Object.assign(heard, { say: (text: string) => socket.write(text) });
}

const hears = (one: { text: string }, text: string) => eventually(() => one.text === text);

test("a hole lets nothing through, and when it is open again everything comes in order", async () => {
	const before = caller();
	before.say("a");
	await hears(before, "a");
	link.hole();
	const since = caller();
	before.say("b");
	since.say("1");
	const witness = await openLink((server.address() as AddressInfo).port);
	await using _ = witness;
	expect([before.text, since.text]).toEqual(["a", ""]);
	link.open();
	before.say("c");
	await hears(before, "abc");
	await hears(since, "1");
});

test("a cut resets what is connected and what tries to be, until it is open again", async () => {
	const one = caller();
	one.say("a");
	await hears(one, "a");
	link.cut();
	await eventually(() => one.error === "ECONNRESET");
	const other = caller();
	await eventually(() => other.error === "ECONNRESET");
	link.open();
	const third = caller();
	third.say("b");
	await hears(third, "b");
});

test("a stranded connection hears nothing until it is given up, and a new one is good at once", async () => {
	const old = caller();
	old.say("a");
	await hears(old, "a");
	link.strand(300);
	old.say("b");
	const fresh = caller();
	fresh.say("1");
	await hears(fresh, "1");
	expect(old).toMatchObject({ text: "a", error: "" });
	await eventually(() => old.error === "ECONNRESET");
});

test("a slow way changes nothing but the time", async () => {
	link.slow(50);
	const one = caller();
	for (const letter of "abcdef") one.say(letter);
	await hears(one, "abcdef");
});
