/** The heading of a column of numbers, which stands at its right. */
export const number = (text: string): { number: string } => ({ number: text });

/** The head of a table, a heading for each column. */
export const Head = ({ columns }: { columns: readonly (string | { number: string })[] }) => (
	<thead>
		<tr>
			{columns.map((column, at) => {
				const [text, look] = typeof column === "string" ? [column] : [column.number, "number"];
				return (
					<th key={`${at} ${text}`} scope="col" class={look}>
						{text}
					</th>
				);
			})}
		</tr>
	</thead>
);
