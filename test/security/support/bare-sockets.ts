/** Connections to a server that are written and read by hand, because no client does with them what a test needs. */
import { connect, type Socket } from "node:net";

export interface BareSockets extends Disposable {
	/** A connection from an address of this machine, closed at the end. */
	open(from?: string): Socket;
	/** Everything that is answered to these bytes until the connection is closed, however that happens. */
	say(bytes: string | readonly string[], from?: string): Promise<string>;
}

export function bareSockets(url: string): BareSockets {
	const opened = new Set<Socket>();
	const open = (localAddress = "127.0.0.1") => {
		const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
		// The end of a connection that is cut off does not matter.
		socket.on("error", () => {});
		opened.add(socket);
		return socket;
	};
	return {
		open,
		say(bytes, from) {
			const socket = open(from);
			for (const some of [bytes].flat()) socket.write(some);
			return readAll(socket);
		},
		[Symbol.dispose]() {
			for (const socket of opened) socket.destroy();
		},
	};
}

export async function readAll(socket: Socket): Promise<string> {
	let read = "";
	socket.on("data", (bytes) => {
		read += bytes;
	});
	socket.resume();
	await new Promise<void>((resolve) => {
		if (socket.closed) resolve();
		else socket.once("close", () => resolve());
	});
	return read;
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
