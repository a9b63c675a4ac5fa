/** What statements take as parameters. */
export type SqlParameter = SqlScalar | readonly SqlScalar[]
export type SqlScalar = string | number | boolean | null | Uint8Array
/** Numbers of 64 bits come as numbers, `bytea` as bytes. */
export type SqlRow = Record<string, unknown>

/** A connection while one caller has it for itself. */
export interface DatabaseSession {
  /** Runs one statement; `changes` is how many rows it wrote, or gave. */
  query(text: string, parameters?: readonly SqlParameter[]): Promise<{ rows: SqlRow[]; changes: number }>
  /** Runs statements without parameters, one after the other, in one go; the rows of each. */
  exec(text: string): Promise<SqlRow[][]>
}

/** A PostgreSQL database, whatever speaks to it. */
export interface Database {
  /** As a user would name it, without its password. */
  readonly location: string
  /** Runs `body` on a connection that nobody else uses meanwhile. */
  withSession<T>(body: (session: DatabaseSession) => Promise<T>): Promise<T>
  close(): Promise<void>
}
