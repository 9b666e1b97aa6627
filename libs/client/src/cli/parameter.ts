/** A parameter of an operation, which is a flag of its command. */
export interface Parameter {
	/** As in the interface: `capacity_min`. */
	name: string;
	note: string;
	/** true or false */
	isSwitch?: true;
	/** The words that it may be, where they are few enough to be named. */
	values?: string[];
}
