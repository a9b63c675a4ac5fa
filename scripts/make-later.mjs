// A plugin of rolldown for bundles of processes that live for one answer.

/**
 * Regular expressions that stand by themselves in a module and name characters beyond ASCII, or are put together from pieces, are made when
 * they are used for the first time: to make all of them takes as long as to load many modules, and an answer uses a few.
 */
export function makeLater() {
  return {
    name: 'make-later',
    renderChunk(code) {
      const { body } = this.parse(code)
      const made = new Map(body.flatMap((statement) => findExpressions(statement)).map((one) => [one.id.name, one]))
      const uses = findUses(body, made)
      const edits = uses.map(({ node, isShorthand }) => ({
        at: node.end,
        text: isShorthand ? `: ${node.name}()` : '()',
      }))
      for (const { id, init, statement } of made.values()) {
        const kept = `${id.name}$made`
        edits.push({ at: statement.start, text: `let ${kept};\n` })
        edits.push({ at: init.start, text: `() => ${kept} ??= ` })
      }
      return edits
        .sort((a, b) => b.at - a.at)
        .reduce((all, { at, text }) => all.slice(0, at) + text + all.slice(at), code)
    },
  }
}

function findExpressions(statement) {
  if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') return []
  if (statement.declarations.length !== 1) return []
  const [{ id, init }] = statement.declarations
  const isSlow =
    (init?.type === 'Literal' && /[uv]/.test(init.regex?.flags ?? '')) ||
    (init?.type === 'NewExpression' && init.callee.name === 'RegExp')
  return id.type === 'Identifier' && isSlow ? [{ id, init, statement }] : []
}

/** Where the constants are used. Takes out of `made` those whose names mean something else anywhere. */
function findUses(body, made) {
  const uses = []
  const visit = (node, parent, key) => {
    if (node.type === 'Identifier' && made.has(node.name)) {
      if (node === made.get(node.name).id || isName(parent, key)) return
      if (isDeclared(parent, key)) made.delete(node.name)
      else uses.push({ node, isShorthand: parent.type === 'Property' && parent.shorthand })
      return
    }
    for (const [name, value] of Object.entries(node)) {
      if (node.type === 'Property' && node.shorthand && name === 'key') continue
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string') visit(child, node, name)
      }
    }
  }
  for (const statement of body) visit(statement, { type: 'Program' }, 'body')
  return uses.filter(({ node }) => made.has(node.name))
}

/** The name of a property, which is no use of a constant. */
function isName(parent, key) {
  if (parent.type === 'MemberExpression') return key === 'property' && !parent.computed
  return key === 'key' && !parent.computed && !parent.shorthand
}

const DECLARING = {
  VariableDeclarator: 'id',
  AssignmentExpression: 'left',
  AssignmentPattern: 'left',
  CatchClause: 'param',
}

function isDeclared(parent, key) {
  return (
    key === 'params' ||
    DECLARING[parent.type] === key ||
    parent.type === 'ArrayPattern' ||
    parent.type === 'RestElement'
  )
}
