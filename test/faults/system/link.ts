/** A way for TCP connections that leads through the test, which can cut it off, let it hang, or slow it down. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Link extends AsyncDisposable {
	readonly port: number;
	/** Everything goes through (again): what was held, too. */
	open(): void;
	/** Connections are reset, and new ones are as soon as they are made. */
	cut(): void;
	/** A black hole: connections stay and can be made, and nothing goes through. */
	hole(): void;
	/**
	 * Existing connections lead nowhere, without a notice; new ones work. This happens after a failover, or behind a firewall that lost
	 * its state. Systems close such a connection at last: here after this long (ms).
	 */
	strand(giveUpMs: number): void;
	/** Delays every packet (ms). */
	slow(ms: number): void;
}

/** More than the system ever opens; what comes beyond is refused. */
const maxPairs = 4_000;

interface Pair {
	sockets: [Socket, Socket | undefined];
	stranded: boolean;
}

interface Way {
	targetPort: number;
	state: "open" | "cut" | "hole";
	delayMs: number;
	pairs: Set<Pair>;
}

export async function openLink(targetPort: number): Promise<Link> {
	const way: Way = { targetPort, state: "open", delayMs: 0, pairs: new Set() };
	const server = createServer({ pauseOnConnect: true }, (client) => accept(way, client));
	server.maxConnections = maxPairs;
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const breakAll = () => {
		for (const pair of way.pairs) breakPair(way, pair);
	};
	const held = () => [...way.pairs].filter(({ stranded }) => !stranded);
	return {
		port: (server.address() as AddressInfo).port,
		open() {
			way.state = "open";
			way.delayMs = 0;
			for (const pair of held()) flow(way, pair);
		},
		cut() {
			way.state = "cut";
			breakAll();
		},
		hole() {
			way.state = "hole";
			for (const pair of way.pairs) halt(pair);
		},
		strand(giveUpMs) {
			for (const pair of way.pairs) {
				pair.stranded = true;
				halt(pair);
				setTimeout(() => breakPair(way, pair), giveUpMs).unref();
			}
		},
		slow(ms) {
			way.delayMs = ms;
		},
		async [Symbol.asyncDispose]() {
			breakAll();
			server.close();
			await once(server, "close");
		},
	};
}

function accept(way: Way, client: Socket): void {
	if (way.state === "cut") return void client.resetAndDestroy();
	const pair: Pair = { sockets: [client, undefined], stranded: false };
	way.pairs.add(pair);
	watch(way, pair, client);
	if (way.state === "open") flow(way, pair);
}

/** Lets a pair through; the far side is called now if it was not before. */
function flow(way: Way, pair: Pair): void {
	const [client, known] = pair.sockets;
	const upstream = known ?? connect(way.targetPort, "127.0.0.1");
	if (known === undefined) {
		pair.sockets = [client, upstream];
		watch(way, pair, upstream);
		pass(way, pair, client, upstream);
		pass(way, pair, upstream, client);
	}
	client.resume();
	upstream.resume();
}

/** Forwards in order, and no faster than the receiver reads. */
function pass(way: Way, pair: Pair, from: Socket, to: Socket): void {
	const isOpen = () => way.state === "open" && !pair.stranded;
	const inOrder = delayed(way);
	to.on("drain", () => {
		if (isOpen()) from.resume();
	});
	from.on("data", (bytes) =>
		inOrder(() => {
			if (!to.destroyed && !to.write(bytes)) from.pause();
		}),
	);
	from.on("end", () => inOrder(() => void to.end()));
	from.on("close", (hadError) => {
		// Its last bytes are still on their way.
		if (!hadError && !pair.stranded) inOrder(() => to.destroySoon());
	});
}

/** Does one thing after the other, each so late as the way was slow when it was said: what is quicker overtakes nothing. */
function delayed(way: Way): (act: () => void) => void {
	const waiting: { dueAt: number; act: () => void }[] = [];
	const go = () => {
		for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
			const leftMs = next.dueAt - performance.now();
			if (leftMs > 0) return void setTimeout(go, leftMs);
			next.act();
			waiting.shift();
		}
	};
	return (act) => {
		waiting.push({ dueAt: performance.now() + way.delayMs, act });
		if (waiting.length === 1) go();
	};
}

function watch(way: Way, pair: Pair, socket: Socket): void {
	socket.setNoDelay(true);
	socket.on("error", () => {});
	socket.on("close", (hadError) => {
		if (pair.stranded) return;
		if (hadError) return breakPair(way, pair);
		way.pairs.delete(pair);
	});
}

function halt(pair: Pair): void {
	for (const socket of pair.sockets) socket?.pause();
}

function breakPair(way: Way, pair: Pair): void {
	way.pairs.delete(pair);
	for (const socket of pair.sockets) if (socket !== undefined && !socket.destroyed) socket.resetAndDestroy();
}
