/** What is kept of an authorized request until its answer is sent and recorded as usage. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authorization, Authorizer } from "../authorization/authorizer.ts";
import type { Usage } from "../authorization/usage.ts";
import { whenEnded } from "../http/ended.ts";
import type { Paid } from "../payments/settle.ts";
import type { HttpOperation } from "../registry/bindings.ts";

export interface Metered {
	/** The payment is being made. Who leaves meanwhile may have been charged: what came of it is recorded with the request. */
	paying?: Promise<Paid>;
	/** It was refused before anything was done for it: no query of the month. */
	isFree?: true;
}

/** Nothing was answered: the caller left first. */
const left = 499;

/** Records the request once, when its answer has ended. What failed on our side gives its query of the month back. */
export function meterRequest(
	request: FastifyRequest,
	reply: FastifyReply,
	{ name }: HttpOperation,
	authorization: Authorization,
	{ usage, authorizer }: { usage: Usage; authorizer: Pick<Authorizer, "giveBack"> },
): Metered {
	const metered: Metered = {};
	const { caller } = authorization;
	const cameAt = performance.now();
	whenEnded(reply, () => {
		const status = reply.raw.headersSent ? reply.statusCode : left;
		// Nor is a query taken by what had to wait for another of the caller's own.
		const failed = status >= 500 || status === 429 || metered.isFree === true;
		// Of a file it is known when the file is there.
		const { counted } = authorization;
		if (counted && failed) authorizer.giveBack(caller);
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
		if (metered.paying === undefined) record();
		else void metered.paying.then(record, () => record());
	});
	return metered;
}
