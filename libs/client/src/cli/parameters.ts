/** Parameters of the operations that commands call. The package contains this table generated at build time (`deploy/local/build-client.ts`). */
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
	const {
		type,
		enum: enumValues,
		items,
		default: defaultValue,
	} = z.toJSONSchema(field, { io: "output" }) as DescribedSchema;
	const values = enumValues ?? items?.enum;
	return {
		name,
		note: `${field.description ?? ""}${defaultValue === undefined ? "" : ` (${defaultValue} when absent)`}`,
		...(type === "boolean" && { isSwitch: true }),
		...(values !== undefined && { values }),
	};
}
