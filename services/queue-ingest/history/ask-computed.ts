/** Requests from scoring the evidence for the values that it computes: only scoring has it. */
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
	async (project_id) => {
		try {
			const { bytes } = await request(bus, "readOrigins", { project_id }, { timeoutMs });
			return JSON.parse(Buffer.from(bytes).toString()) as Computed;
		} catch (error) {
			if (error instanceof AppError && (error.status === 404 || error.status >= 500)) return undefined;
			throw error;
		}
	};
