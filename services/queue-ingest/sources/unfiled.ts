/** What a request says when its operator publishes nothing: what an adapter declares replaces it. */
import { filedFields } from "#libs/contract/records/project.ts";
import { camel } from "./camel.ts";
import type { FiledRequest } from "./source.ts";

/** Without an identity and a status there is no request. */
const optional = filedFields.filter((name) => name !== "queue_id" && name !== "status_std");

export const unfiled = {
	...Object.fromEntries(optional.map((name) => [camel(name), null])),
	unit: null,
	kind: "generation",
	typeStd: "Unknown",
	statusBasis: "filed",
	partial: false,
} as unknown as Omit<FiledRequest, "number" | "statusStd" | "evidence" | "raw" | "origins">;
