import { useState } from "preact/hooks";
import { TextField } from "../../lib/elements/fields.tsx";
import { ago, count, safeText } from "../../lib/text/format.ts";
import {
	type ColumnSchema,
	type DatabaseName,
	identifier,
	kindOf,
	type MacroSchema,
	type Schema,
	type ViewSchema,
} from "./schema.ts";

interface TreeProps {
	schema: Schema;
	/** The database whose views need no prefix. */
	database: DatabaseName;
	insert(text: string): void;
}

/** A tree of the databases with their views, table functions and columns. */
export function SchemaTree({ schema, database, insert }: TreeProps) {
	const [wanted, setWanted] = useState("");
	const word = wanted.trim().toLowerCase();
	return (
		<>
			<TextField label="Find a view or column" value={wanted} set={setWanted} type="search" maxLength={60} />
			<ul class="tree">
				{schema.databases.map(({ name, description, views }) => {
					const found = views.filter((view) => word === "" || isFound(view, word));
					if (word !== "" && found.length === 0) return null;
					const prefix = name === database ? "" : `${name}.`;
					return (
						<li key={name}>
							<details open={word !== "" || name === database}>
								<summary>
									<b>{name}</b>
								</summary>
								<p class="soft">{description}</p>
								<ul>
									{found.map((view) => (
										<li key={view.name}>
											<View view={view} prefix={prefix} word={word} insert={insert} />
										</li>
									))}
									{schema.macros
										.filter((macro) => macro.database === name && (word === "" || macro.name.includes(word)))
										.map((macro) => (
											<li key={macro.name}>
												<Macro macro={macro} isAtHand={name === database} insert={insert} />
											</li>
										))}
								</ul>
							</details>
						</li>
					);
				})}
			</ul>
		</>
	);
}

const isFound = ({ name, columns }: ViewSchema, word: string): boolean =>
	name.includes(word) || columns.some((column) => column.name.includes(word));

interface ViewProps {
	view: ViewSchema;
	prefix: string;
	word: string;
	insert(text: string): void;
}

/** A view in the tree. Its columns are rendered only while it is open, because all views together have a thousand columns. */
function View({ view, prefix, word, insert }: ViewProps) {
	const { name, description, rows, as_of, columns } = view;
	const isFoundByColumn = word !== "" && !name.includes(word);
	const [opened, setOpened] = useState(false);
	const isOpen = opened || isFoundByColumn;
	const shown = isFoundByColumn ? columns.filter((column) => column.name.includes(word)) : columns;
	return (
		<details open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
			<summary>
				{name} <span class="soft">{count(rows)}</span>
			</summary>
			{isOpen && (
				<>
					<p class="soft">
						{safeText(description, 400)} As of {ago(as_of, Date.now())}.
					</p>
					<p>
						<button type="button" class="name" onClick={() => insert(`${prefix}${identifier(name)}`)}>
							{prefix}
							{name}
						</button>
					</p>
					<dl>
						{shown.map((column) => (
							<Column key={column.name} column={column} insert={insert} />
						))}
					</dl>
				</>
			)}
		</details>
	);
}

const Column = ({ column, insert }: { column: ColumnSchema; insert(text: string): void }) => (
	<div>
		<dt>
			<button type="button" class="name" onClick={() => insert(identifier(column.name))}>
				{column.name}
			</button>{" "}
			<span class="soft">{kindOf(column)}</span>
		</dt>
		<dd>{safeText(column.description, 400)}</dd>
	</div>
);

interface MacroProps {
	macro: MacroSchema;
	isAtHand: boolean;
	insert(text: string): void;
}

const Macro = ({ macro: { name, description, parameters, example, view, database }, isAtHand, insert }: MacroProps) => (
	<details>
		<summary>
			{name}({parameters.join(", ")}) <span class="soft">function</span>
		</summary>
		<p class="soft">
			{description}. Columns are those of {view}.{!isAtHand && ` Choose the database ${database} to call it.`}
		</p>
		<p>
			<button type="button" class="name" onClick={() => insert(example)}>
				{example}
			</button>
		</p>
	</details>
);
