/** Names of fields in TypeScript: "queue_date" is queueDate. Pure. */
export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${First}${Capitalize<Camel<Rest>>}`
	: Name;

export const camel = <Name extends string>(name: Name): Camel<Name> =>
	name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;
