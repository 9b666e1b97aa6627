/** Stands between a client and the service, and can end as a process does that is started again. */
import { createServer, type RequestListener, request, type Server } from "node:http";

export interface Proxy extends AsyncDisposable {
	url: string;
	/** Ends at once, with all connections; is there again after the next two attempts to connect were refused. */
	restart(): Promise<void>;
	/** Connections that were cut or refused. */
	refused(): number;
}

export async function startProxy(target: string): Promise<Proxy> {
	let refused = 0;
	let toRefuse = 0;
	const {
		server,
		url,
		[Symbol.asyncDispose]: end,
	} = await listen((asked, answer) => {
		const headers = { ...asked.headers, host: new URL(target).host };
		const passed = request(new URL(asked.url ?? "/", target), { method: asked.method, headers }, (came) => {
			answer.writeHead(came.statusCode ?? 502, came.headers);
			came.pipe(answer);
		});
		asked.pipe(passed);
	});
	server.on("connection", (socket) => {
		if (toRefuse === 0) return;
		toRefuse--;
		refused++;
		socket.destroy();
	});
	return {
		url,
		async restart() {
			toRefuse = 2;
			server.closeAllConnections();
		},
		refused: () => refused,
		[Symbol.asyncDispose]: end,
	};
}

export interface CuttingProxy extends AsyncDisposable {
	url: string;
	/** The header of each request. */
	ranges: (string | undefined)[];
	/** Bytes of the answers that were cut. */
	sent(): number;
}

/**
 * Ends the first `times` answers in their midst, each once its bytes are taken: what a connection that ends has not handed over is lost
 * with it.
 */
export async function startCuttingProxy(
	target: string,
	{ times, isTaken }: { times: number; isTaken(bytes: number): Promise<unknown> },
): Promise<CuttingProxy> {
	const ranges: (string | undefined)[] = [];
	let sent = 0;
	const { url, [Symbol.asyncDispose]: end } = await listen(({ url: path, headers }, answer) => {
		const passed = request(target + path, { headers }, (came) => {
			ranges.push(headers.range);
			answer.writeHead(came.statusCode ?? 502, came.headers);
			if (ranges.length > times) return void came.pipe(answer);
			came.once("data", async (chunk: Buffer) => {
				came.pause();
				const half = chunk.subarray(0, Math.ceil(chunk.length / 2));
				sent += half.length;
				answer.write(half);
				await isTaken(sent);
				answer.socket?.end();
			});
		});
		passed.end();
	});
	return { url, ranges, sent: () => sent, [Symbol.asyncDispose]: end };
}

/** A server on a free port. */
export async function listen(answer: RequestListener): Promise<AsyncDisposable & { url: string; server: Server }> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const at = server.address();
	if (at === null || typeof at === "string") throw new Error("no port");
	return {
		url: `http://127.0.0.1:${at.port}`,
		server,
		[Symbol.asyncDispose]: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
