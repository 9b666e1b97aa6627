/** Parameters of the commands' operations. The package contains this table as generated at build time (`deploy/local/build-client.ts`). */
import { z } from "zod";
import { type OperationShape, operations } from "../../../contract/index.ts";
import type { Parameter } from "./parameter.ts";

const exportNames = Object.keys(operations).filter((name) => /^export[A-Z]/.test(name));
const commandOperations = [
	...["search", "getProject", "listProjects", "getScore", "listDevelopers", "listPois", "listChanges"],
	...["streamChanges", "runQuery", "listWatchlistChanges"],
	...exportNames,
];

export const parameters: Readonly<Record<string, readonly Parameter[]>> = Object.fromEntries(
	commandOperations.map((name) => {
		const { params } = (operations as Record<string, OperationShape>)[name] ?? { params: z.object({}) };
		return [name, Object.entries(params.shape).map(([each, field]) => parameterOf(each, field))];
	}),
);

interface DescribedSchema {
	type?: string;
	enum?: string[];
	items?: DescribedSchema;
	default?: unknown;
}

function parameterOf(name: string, field: z.ZodType): Parameter {
	const { type, enum: words, items, default: usual } = z.toJSONSchema(field, { io: "output" }) as DescribedSchema;
	const values = words ?? items?.enum;
	return {
		name,
		note: `${field.description ?? ""}${usual === undefined ? "" : ` (${usual} when absent)`}`,
		...(type === "boolean" && { isSwitch: true }),
		...(values !== undefined && { values }),
	};
}
