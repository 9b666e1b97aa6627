import { expect } from "vitest";

/** An error over HTTP as it has to be, whole: `said` is its `detail`, `code` and what else it is to hold. */
export const problem = (said: { detail: unknown; code: unknown } & Record<string, unknown>) => ({
	type: expect.stringMatching(/^\/docs#error-[a-z_]+$/),
	title: expect.stringMatching(/^[A-Z][a-z ]+$/),
	status: expect.any(Number),
	request_id: expect.stringMatching(/./),
	...said,
});

export const problemType = "application/problem+json; charset=utf-8";
