import { databaseDescriptions, databases } from "#libs/contract/databases.ts";
import type { Handler, Handlers, Reply } from "#libs/contract/index.ts";
import { functionNames } from "../child/functions.ts";
import { macros } from "../child/macros.ts";
import type { Resources } from "../resources.ts";
import { checkStatement, runStatement } from "./run-statement.ts";

export const operations = (resources: Resources): Handlers<"query"> => ({
	runStatement: runStatement(resources),
	checkStatement: checkStatement(resources),
	describeViews: describeViews(resources),
});

/** Lists the views as the manifests of the loaded extracts describe them. A database that is not loaded yet has no views. */
function describeViews({ extracts }: Resources): Handler<"describeViews"> {
	return async () => {
		const { views } = extracts.current;
		const reply: Reply<"describeViews"> = {
			databases: databases.map((database) => ({
				name: database,
				description: databaseDescriptions[database],
				views: views
					.filter((view) => view.database === database)
					.map(({ name, description, rows, data_version, as_of, columns }) => ({
						name,
						description,
						rows,
						data_version,
						as_of,
						columns: columns.map(({ name: column, type, description: meaning, unit }) => ({
							name: column,
							type,
							description: meaning,
							unit,
						})),
					})),
			})),
			functions: [...functionNames],
			macros: [...macros]
				.filter(([, { database, view }]) => views.some((each) => each.database === database && each.name === view))
				.map(([name, { database, description, parameters, example, view }]) => ({
					database,
					name,
					description,
					parameters,
					example,
					view,
				})),
		};
		return { json: JSON.stringify(reply), dataVersion: 0 };
	};
}
