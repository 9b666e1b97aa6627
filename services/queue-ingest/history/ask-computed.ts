/** Requests from scoring the evidence for the values that it computes: only scoring has it. */
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";

export type Computed = Reply<"readOrigins">;

/** Undefined where scoring does not answer, fails or knows nothing of the request: then its copies alone are shown. */
export type ReadComputed = (id: string) => Promise<Computed | undefined>;

/** The rest of the answer does not wait longer for it. */
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
