/** A mail server on this machine that keeps what it is given. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
	to: string[];
	headers: string;
	text: string;
}

export interface TestSmtp extends AsyncDisposable {
	url: string;
	/** In the order of their arrival. */
	mails: ReceivedMail[];
	/** Recipients that are refused for good. */
	refused: Set<string>;
	/** Stops listening until `start`, at the same port. */
	stop(): Promise<void>;
	start(): Promise<void>;
}

export async function startSmtp(): Promise<TestSmtp> {
	const mails: ReceivedMail[] = [];
	const refused = new Set<string>();
	let port = 0;
	let server: SMTPServer | undefined;
	const stop = async () => {
		const closing = server;
		server = undefined;
		if (closing !== undefined) await new Promise<void>((resolve) => closing.close(() => resolve()));
	};
	const start = async () => {
		server = new SMTPServer({
			disabledCommands: ["AUTH", "STARTTLS"],
			onRcptTo({ address }, _session, done) {
				const refusal = Object.assign(new Error("no such user"), { responseCode: 550 });
				done(refused.has(address) ? refusal : null);
			},
			onData(stream, { envelope }, done) {
				text(stream).then((raw) => {
					const [headers = "", ...body] = raw.split("\r\n\r\n");
					mails.push({
						to: envelope.rcptTo.map(({ address }) => address),
						headers,
						text: decoded(headers, body.join("\r\n\r\n")),
					});
					done();
				}, done);
			},
		});
		server.listen(port, "127.0.0.1");
		await once(server.server, "listening");
		port = (server.server.address() as AddressInfo).port;
	};
	await start();
	return { url: `smtp://127.0.0.1:${port}`, mails, refused, stop, start, [Symbol.asyncDispose]: stop };
}

/** The text of a mail, or of all its parts, whose long lines are quoted. */
function decoded(headers: string, body: string): string {
	if (!/quoted-printable/i.test(`${headers}\n${body}`)) return body;
	const bytes = body
		.replace(/=\r\n/g, "")
		.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, "latin1").toString();
}

/** The token of the link in a mail. */
export const tokenIn = ({ text }: ReceivedMail): string => /#(?:verify|recover|alerts)=(ml_\w+)/.exec(text)?.[1] ?? "";
