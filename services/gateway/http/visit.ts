/** What is remembered of a request that was let in, until its answer has gone out and is recorded as usage. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Admission, Door } from "../access/door.ts";
import type { Paid } from "../access/settle.ts";
import type { Usage } from "../access/usage.ts";
import type { HttpOperation } from "./bindings.ts";
import { whenEnded } from "./ended.ts";

export interface Visit {
	/** The payment is being made. Who leaves meanwhile may have been charged: what came of it is recorded with the request. */
	paying?: Promise<Paid>;
	/** It was refused before anything was done for it: no query of the month. */
	isFree?: true;
}

/** Nothing was answered: the caller left first. */
const left = 499;

/** Records the request once, when its answer has ended. What failed on our side gives its query of the month back. */
export function visitOf(
	request: FastifyRequest,
	reply: FastifyReply,
	{ name }: HttpOperation,
	admission: Admission,
	{ usage, door }: { usage: Usage; door: Pick<Door, "giveBack"> },
): Visit {
	const visit: Visit = {};
	const { caller } = admission;
	const cameAt = performance.now();
	whenEnded(reply, () => {
		const status = reply.raw.headersSent ? reply.statusCode : left;
		// Nor is a query taken by what had to wait for another of the caller's own.
		const failed = status >= 500 || status === 429 || visit.isFree === true;
		// Of a file it is known when the file is there.
		const { counted } = admission;
		if (counted && failed) door.giveBack(caller);
		const entry = {
			id: request.id,
			occurred_at: new Date(),
			account_id: caller.kind === "key" ? caller.accountId : null,
			key_id: caller.kind === "key" ? caller.keyId : null,
			operation: name,
			status,
			counted: counted && !failed,
			duration_ms: performance.now() - cameAt,
		};
		const record = (paid?: Paid) =>
			usage.record({ ...entry, rail: paid?.rail ?? null, paid_micro_usd: paid?.paidMicroUsd ?? 0 });
		if (visit.paying === undefined) record();
		else void visit.paying.then(record, () => record());
	});
	return visit;
}
