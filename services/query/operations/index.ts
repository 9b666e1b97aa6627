import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { checkStatement } from "./check-statement.ts";
import { describeViews } from "./describe-views.ts";
import { runStatement } from "./run-statement.ts";

export const operations = (resources: Resources): Handlers<"query"> => ({
	runStatement: runStatement(resources),
	checkStatement: checkStatement(resources),
	describeViews: describeViews(resources),
});
