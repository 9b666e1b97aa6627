import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { describeViews } from "./describe-views.ts";
import { checkStatement, runStatement } from "./run-statement.ts";

export const operations = (resources: Resources): Handlers<"query"> => ({
	runStatement: runStatement(resources),
	checkStatement: checkStatement(resources),
	describeViews: describeViews(resources),
});
