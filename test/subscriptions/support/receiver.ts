/** A customer's server: verifies what it is sent with the official package, keeps it, and answers as the test says. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";

export interface Received {
	id: string;
	type: string;
	timestamp: string;
	data: Record<string, unknown> & { seq?: number };
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Receiver extends AsyncDisposable {
	url: string;
	/** Everything that arrived, in order, refused deliveries included. */
	arrived: Received[];
	/** Those answered with 2xx. */
	taken: Received[];
	/** Challenges that arrived: they are answered by `echo`, and are not among the others. */
	challenges: Received[];
	echo: (challenge: string) => string;
	/** The response: status, headers and body. */
	answer: (received: Received, at: number) => Answer | Promise<Answer>;
	/** The secret of the signatures; undefined: it verifies none. */
	secret: string | undefined;
	faults: unknown[];
}

export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: string;
}

export async function openReceiver(): Promise<Receiver> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = Buffer.concat(chunks).toString();
		try {
			if (receiver.secret !== undefined)
				new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
		} catch (error) {
			receiver.faults.push(error);
		}
		const received = { id: String(request.headers["webhook-id"]), ...JSON.parse(body), headers: request.headers, body };
		if (received.type === "webhook.challenge") {
			receiver.challenges.push(received);
			response.end(receiver.echo(received.data.challenge));
			return;
		}
		const at = receiver.arrived.push(received);
		const { status, headers = {}, body: text = "thank you" } = await receiver.answer(received, at);
		if (status >= 200 && status < 300) receiver.taken.push(received);
		response.writeHead(status, headers).end(text);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	const receiver: Receiver = {
		url: `http://127.0.0.1:${port}/hook`,
		arrived: [],
		taken: [],
		challenges: [],
		echo: (challenge) => challenge,
		answer: () => ({ status: 200 }),
		secret: undefined,
		faults: [],
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
		},
	};
	return receiver;
}

export const seqsOf = (received: readonly Received[]): number[] => received.map(({ data }) => Number(data.seq));

/** Each of these numbers arrived at least once, in order: what is repeated follows itself. */
export function expectWhole({ taken, arrived, faults }: Receiver, numbers: readonly number[]): void {
	expect(faults).toEqual([]);
	const seqs = seqsOf(taken);
	expect([...new Set(seqs)]).toEqual(numbers);
	expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
	const attempts = seqsOf(arrived);
	expect(attempts).toEqual(attempts.toSorted((one, other) => one - other));
	for (const { id, data } of arrived) expect(id).toMatch(new RegExp(`_${data.seq}$`));
}
