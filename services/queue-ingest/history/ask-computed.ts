/** Requests what only scoring knows of its values: their evidence, and sums of what it does not publish. */
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";

export type Computed = Reply<"readOrigins">;

/** Undefined if scoring does not respond, fails or lacks the request: then only the copies here are shown. */
export type ReadComputed = (id: string) => Promise<Computed | undefined>;

/** Longest wait of the rest of the response for it. */
const timeoutMs = 3_000;

export const askComputed =
	(bus: Bus): ReadComputed =>
	(project_id) =>
		orUnknown<Computed>(request(bus, "readOrigins", { project_id }, { timeoutMs }));

/** Undefined if scoring does not respond or fails. */
export type ReadCreditSums = () => Promise<Reply<"sumActiveCredits"> | undefined>;

export const askCreditSums =
	(bus: Bus): ReadCreditSums =>
	() =>
		orUnknown(request(bus, "sumActiveCredits", {}, { timeoutMs }));

async function orUnknown<T>(answered: ReturnType<typeof request>): Promise<T | undefined> {
	try {
		const { bytes } = await answered;
		return JSON.parse(Buffer.from(bytes).toString()) as T;
	} catch (error) {
		if (error instanceof AppError && (error.status === 404 || error.status >= 500)) return undefined;
		throw error;
	}
}
